/*
 * cpu_tbb.cpp - parallel_scan of oneTBB, for comparison
 *
 * TBB splits the range where threads are idle: a part that another thread takes is summed first
 * (the pre-scan) and scanned when the sum before it is known (the final scan), so what is split is
 * read twice; the rest is scanned in one pass. The parts, and with them the last bits of float
 * sums, differ from run to run. The scan of a part is a plain loop, as a user would write it. TBB
 * allocates its tasks in each call.
 */
#include "cpu_team.h"
#include "scan_plugin.h"
#include "tbb_team.hpp"
#include "typed_call.hpp"

#include <exception>
#include <memory>
#include <new>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#include <tbb/version.h>

namespace
{

using range = tbb::blocked_range<uint64_t>;

template <typename T, typename Op> T reduce_part(const T *x, const range &part, T sum)
{
    for (uint64_t i = part.begin(); i != part.end(); i++)
        sum = Op{}(sum, x[i]);
    return sum;
}

template <typename T, typename Op, scan_kind kind>
T scan_part(const T *x, T *y, const range &part, T sum)
{
    for (uint64_t i = part.begin(); i != part.end(); i++) {
        const T next = Op{}(sum, x[i]);
        y[i] = kind == SCAN_KIND_EXCLUSIVE ? sum : next;
        sum = next;
    }
    return sum;
}

struct engine {
    static constexpr bool boxes_floats = false;
    template <typename T, typename Op, scan_kind kind>
    static void scan(const void *in, void *out, uint64_t n)
    {
        const T *x = static_cast<const T *>(in);
        T *y = static_cast<T *>(out);
        const auto part = [x, y](const range &r, T sum, bool is_final) {
            return is_final ? scan_part<T, Op, kind>(x, y, r, sum) : reduce_part<T, Op>(x, r, sum);
        };
        tbb::parallel_scan(range(0, n), Op::template identity<T>(), part, Op{});
    }
};

struct instance {
    const scan_host *host;
    scan_call *call;
    uint64_t n;
    tbb_team threads;
};

scan_status supports(const scan_host *host, const scan_plugin *, void *,
                     const scan_problem *problem)
{
    return cpu_team_supports(host, problem->tunables[0]);
}

scan_status create(const scan_host *host, const scan_plugin *, void *, const scan_problem *problem,
                   void **self_p)
{
    try {
        const uint32_t threads = cpu_team_size(host, problem->tunables[0]);
        *self_p =
            new instance{host, call_for<engine>(*problem), problem->n, tbb_team(host, threads)};
        return SCAN_OK;
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "preparing TBB failed: %s", error.what());
    }
}

scan_status run(void *opaque, scan_buffer in, scan_buffer out)
{
    instance *self = static_cast<instance *>(opaque);
    const scan_host *host = self->host;
    try {
        self->threads.arena.execute(
            [&] { self->call(scan_host_pointer(in), scan_host_pointer(out), self->n); });
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the library's scan");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "the library's scan failed: %s", error.what());
    }
    if (self->threads.places.refused())
        return host->fail(host, SCAN_ERROR, "pin_thread failed for a thread of TBB");
    return SCAN_OK;
}

void destroy(void *opaque)
{
    delete static_cast<instance *>(opaque);
}

constexpr scan_tunable tunables[] = {CPU_TEAM_THREADS(0)};

const scan_plugin cpu_tbb = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cpu_tbb",
    .name = "oneTBB, parallel_scan",
    .version = TBB_VERSION_STRING,
    .summary = "tbb::parallel_scan around plain loops",
    .reference = "oneAPI Threading Building Blocks, parallel_scan",
    .flags = SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ALLOCATES_IN_RUN,
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
};

} // namespace

SCAN_EXPORT_PLUGINS(&cpu_tbb);
