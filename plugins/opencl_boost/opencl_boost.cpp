/*
 * opencl_boost.cpp - Boost.Compute's exclusive_scan and inclusive_scan
 *
 * A peer: the library chooses its kernels and sizes. On CPUs it gives each compute unit one chunk,
 * on GPUs it scans tiles of 256 by shifting (Hillis and Steele) and adds the scanned tile totals.
 * It allocates the totals in every call, which is part of its times; its kernels are built in
 * create.
 *
 * Its mistakes, as seen in boost/compute/algorithm/detail/scan_on_*.hpp of Boost 1.74 and refused
 * here:
 *   - elements are counted in 32 bits
 *   - on a CPU device of one compute unit only half of a long input is scanned
 *   - on other devices the exclusive scan starts each tile but the first with 0
 *     instead of the identity: no matter for sums, wrong for max and min
 */
#include "opencl_scan.h"

#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/functional/integer.hpp>
#include <boost/compute/functional/math.hpp>
#include <boost/compute/functional/operator.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/version.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <type_traits>

namespace
{

namespace compute = boost::compute;

/* Below this many elements Boost.Compute scans on a CPU with a single work-item. */
template <typename T> constexpr uint64_t serial_below = 16384 * sizeof(T);
constexpr uint64_t widest_serial_below = serial_below<cl_ulong>;

/* 32-bit counts, with room for rounding up to tiles or compute units. */
constexpr uint64_t most_elements = 0xffff0000;

struct request {
    cl_command_queue queue;
    cl_mem in;
    cl_mem out;
    uint64_t n;
    uint32_t kind;
    uint32_t op;
};

template <typename T, typename Operator>
void scan_with(const request &asked, T identity, Operator combine)
{
    compute::command_queue queue(asked.queue);
    const compute::buffer in(asked.in);
    const compute::buffer out(asked.out);
    const auto first = compute::make_buffer_iterator<T>(in, 0);
    const auto last = compute::make_buffer_iterator<T>(in, static_cast<size_t>(asked.n));
    const auto result = compute::make_buffer_iterator<T>(out, 0);
    if (asked.kind == SCAN_KIND_EXCLUSIVE)
        compute::exclusive_scan(first, last, result, identity, combine, queue);
    else
        compute::inclusive_scan(first, last, result, combine, queue);
}

/* T is the element, Sum the type in which sums are computed: unsigned integers wrap. */
template <typename T, typename Sum> void scan_as(const request &asked)
{
    using limits = std::numeric_limits<T>;
    constexpr T least = limits::has_infinity ? -limits::infinity() : limits::lowest();
    constexpr T greatest = limits::has_infinity ? limits::infinity() : limits::max();
    if (asked.op == SCAN_OP_SUM) {
        scan_with<Sum>(asked, 0, compute::plus<Sum>());
    } else if constexpr (std::is_floating_point_v<T>) {
        if (asked.op == SCAN_OP_MAX)
            scan_with<T>(asked, least, compute::fmax<T>());
        else
            scan_with<T>(asked, greatest, compute::fmin<T>());
    } else {
        if (asked.op == SCAN_OP_MAX)
            scan_with<T>(asked, least, compute::max<T>());
        else
            scan_with<T>(asked, greatest, compute::min<T>());
    }
}

using scan_function = void (*)(const request &);

scan_function find_scan(uint32_t dtype)
{
    switch (dtype) {
    case SCAN_DTYPE_I8:
        return scan_as<cl_char, cl_uchar>;
    case SCAN_DTYPE_U8:
        return scan_as<cl_uchar, cl_uchar>;
    case SCAN_DTYPE_I16:
        return scan_as<cl_short, cl_ushort>;
    case SCAN_DTYPE_U16:
        return scan_as<cl_ushort, cl_ushort>;
    case SCAN_DTYPE_I32:
        return scan_as<cl_int, cl_uint>;
    case SCAN_DTYPE_U32:
        return scan_as<cl_uint, cl_uint>;
    case SCAN_DTYPE_I64:
        return scan_as<cl_long, cl_ulong>;
    case SCAN_DTYPE_U64:
        return scan_as<cl_ulong, cl_ulong>;
    case SCAN_DTYPE_F32:
        return scan_as<cl_float, cl_float>;
    case SCAN_DTYPE_F64:
        return scan_as<cl_double, cl_double>;
    default:
        return nullptr;
    }
}

bool is_unsigned(uint32_t dtype)
{
    return dtype == SCAN_DTYPE_U8 || dtype == SCAN_DTYPE_U16 || dtype == SCAN_DTYPE_U32 ||
           dtype == SCAN_DTYPE_U64;
}

struct instance {
    opencl_context *context;
    scan_function scan;
    uint64_t n;
    uint32_t kind;
    uint32_t op;
};

/* No exception leaves the plugin. */
scan_status enqueue(const instance &self, cl_command_queue queue, cl_mem in, cl_mem out, uint64_t n)
{
    const scan_host *host = self.context->host;
    try {
        self.scan({queue, in, out, n, self.kind, self.op});
        return SCAN_OK;
    } catch (const compute::opencl_error &error) {
        return opencl_fail(host, error.error_code(), "Boost.Compute");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "Boost.Compute: %s", error.what());
    }
}

scan_status supports(const scan_host *host, const scan_plugin *plugin, void *opaque,
                     const scan_problem *problem)
{
    (void)plugin;
    const auto *context = static_cast<const opencl_context *>(opaque);
    const scan_status status = opencl_check_dtype(context, problem);
    if (status != SCAN_OK)
        return status;
    const uint64_t element_bytes = problem->element_bytes;
    const bool cpu = (context->type & CL_DEVICE_TYPE_CPU) != 0;
    if (cpu && context->compute_units < 2 && problem->n >= serial_below<char> * element_bytes)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "Boost.Compute scans only half of a long input on a CPU device of one "
                          "compute unit");
    const bool unsigned_max = problem->op == SCAN_OP_MAX && is_unsigned(problem->dtype);
    if (!cpu && problem->kind == SCAN_KIND_EXCLUSIVE && problem->op != SCAN_OP_SUM && !unsigned_max)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "Boost.Compute's exclusive scan starts tiles with 0 on devices that are "
                          "no CPU, which is not the identity of this operator");
    return SCAN_OK;
}

/* Builds the kernels by scanning scratch of every length for which the library chooses other
 * kernels. */
scan_status build_kernels(const instance &self, uint64_t element_bytes)
{
    const uint64_t n = std::min(self.n, widest_serial_below);
    cl_mem in = nullptr;
    cl_mem out = nullptr;
    scan_status status = opencl_allocate(self.context, "a first scan", n * element_bytes, &in);
    if (status != SCAN_OK)
        return status;
    status = opencl_allocate(self.context, "a first scan", n * element_bytes, &out);
    if (status != SCAN_OK) {
        clReleaseMemObject(in);
        return status;
    }
    status =
        opencl_memory.fill(self.context, reinterpret_cast<uintptr_t>(in), 0, n * element_bytes, 0);
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self.context);
    if (status == SCAN_OK)
        status = enqueue(self, run.queue, in, out, n);
    status = opencl_run_end(&run, status);
    clReleaseMemObject(out);
    clReleaseMemObject(in);
    return status;
}

scan_status create(const scan_host *host, const scan_plugin *plugin, void *opaque,
                   const scan_problem *problem, void **self_p)
{
    (void)plugin;
    auto *context = static_cast<opencl_context *>(opaque);
    const scan_function scan = find_scan(problem->dtype);
    if (scan == nullptr)
        return host->fail(host, SCAN_ERROR, "dtype %u is not a scalar", problem->dtype);
    void *memory = host->allocate(host, sizeof(instance), alignof(instance));
    if (memory == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    auto *self = new (memory) instance{context, scan, problem->n, problem->kind, problem->op};
    if (self->n > 0) {
        const scan_status status = build_kernels(*self, problem->element_bytes);
        if (status != SCAN_OK) {
            host->release(host, self);
            return status;
        }
    }
    *self_p = self;
    return SCAN_OK;
}

/* The library's kernels have no events that we know, so markers around them time `device`. */
scan_status run_scan(void *opaque, scan_buffer in, scan_buffer out)
{
    const auto *self = static_cast<const instance *>(opaque);
    if (self->n == 0)
        return SCAN_OK;
    opencl_run run;
    opencl_run_begin(&run, self->context);
    scan_status status = opencl_run_marker(&run);
    if (status == SCAN_OK)
        status = enqueue(*self, run.queue, opencl_mem(in), opencl_mem(out), self->n);
    if (status == SCAN_OK)
        status = opencl_run_marker(&run);
    return opencl_run_end(&run, status);
}

void destroy(void *opaque)
{
    auto *self = static_cast<instance *>(opaque);
    const scan_host *host = self->context->host;
    host->release(host, self);
}

/* "1.74" of Boost's "1_74". */
struct version_text {
    char text[sizeof BOOST_LIB_VERSION];

    constexpr version_text() : text()
    {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = BOOST_LIB_VERSION[i] == '_' ? '.' : BOOST_LIB_VERSION[i];
    }
};
constexpr version_text version;

const scan_plugin opencl_boost = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "opencl_boost",
    .name = "Boost.Compute",
    .version = version.text,
    .summary = "Boost.Compute's scans, which allocate scratch in every run",
    .reference = "https://www.boost.org/libs/compute",
    .flags = SCAN_FLAG_ALLOCATES_IN_RUN,
    .max_n = most_elements,
    .ops = {SCAN_COMMUTATIVE_OPS_1_0, SCAN_NARROW_OPS_1_1},
    OPENCL_BACKEND,
    .supports = supports,
    .create = create,
    .run = run_scan,
    .destroy = destroy,
};

} // namespace

SCAN_EXPORT_PLUGINS(&opencl_boost);
