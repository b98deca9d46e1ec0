/*
 * cuda_single.cu - a scan of few elements in one launch, without a word in global memory
 *
 * A launch costs microseconds, and so does each trip to memory that one block makes to hear from
 * another. One block needs no such trip. From some thousand elements on one block is too few
 * threads to load them at once; then a cluster of up to 16 blocks, which the device runs side by
 * side, exchanges totals through shared memory (single_kernel.cuh). Clusters came with compute
 * capability 9.0; older devices use one block.
 *
 * Any n is scanned, in rounds; but what is longer than a few rounds is left to others: one cluster
 * occupies at most 16 multiprocessors.
 *
 * Merrill and Grimshaw, "Parallel Scan for Stream Architectures", 2009 (the scan of a block, in
 * rows); NVIDIA, "CUDA C++ Programming Guide", Distributed Shared Memory.
 *
 * Work 2n, steps O(lines + log(block)) a round. Moves 2n elements.
 */
#include "cuda_common.h"
#include "single_launcher.cuh"

template <typename Op> struct single_instance : cuda_instance {
    Op op;
    single_launcher<Op> launcher;
    uint64_t n;
    bool inclusive;
};

template <typename Op>
static scan_status run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    const auto *self = static_cast<const single_instance<Op> *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, single_launcher<Op>::phase);
    if (status != SCAN_OK)
        return status;
    const cuda_arrays<T> arrays = {static_cast<const T *>(scan_host_pointer(from)),
                                   static_cast<T *>(scan_host_pointer(to)), self->n,
                                   self->inclusive};
    status = cuda_check(cuda->host, self->launcher.launch(self->op, arrays, cuda->stream),
                        single_launcher<Op>::phase);
    return status == SCAN_OK ? cuda_finish(cuda) : status;
}

/* Loads the kernels for a problem. */
template <typename Op>
static scan_status prepare(const cuda_context *cuda, const scan_problem *problem,
                           single_launcher<Op> *launcher_p)
{
    cuda_reason reason;
    const single_shape wanted = {static_cast<unsigned>(problem->tunables[0]),
                                 static_cast<unsigned>(problem->tunables[1]),
                                 static_cast<unsigned>(problem->tunables[2])};
    const scan_status status = launcher_p->load(cuda->limits, problem->n, wanted, &reason);
    return status == SCAN_OK ? SCAN_OK : cuda->host->fail(cuda->host, status, "%s", reason.text);
}

static scan_status supports(const scan_host *host, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    return cuda_visit_operator_1_1(host, problem->op, problem->dtype, [&](auto op) {
        single_launcher<decltype(op)> launcher = {};
        return prepare(static_cast<const cuda_context *>(context), problem, &launcher);
    });
}

template <typename Op>
static scan_status create_scan(cuda_context *cuda, const scan_problem *problem, Op op,
                               void **self_p)
{
    single_instance<Op> *self = nullptr;
    single_launcher<Op> launcher = {};
    scan_status status = prepare(cuda, problem, &launcher);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    self->run = run<Op>;
    self->op = op;
    self->launcher = launcher;
    self->n = problem->n;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    *self_p = static_cast<cuda_instance *>(self);
    return SCAN_OK;
}

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    return cuda_visit_operator_1_1(host, problem->op, problem->dtype, [&](auto op) {
        return create_scan(static_cast<cuda_context *>(context), problem, op, self_p);
    });
}

static const int64_t line_counts[] = {0, 1, 2, 4, 8};
static const int64_t cta_counts[] = {0, 1, 2, 4, 8, 16};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, a multiple of 32", 512, 32, 1024),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread; 0: by n", 0, line_counts),
    SCAN_TUNABLE_LIST("ctas", "blocks of the cluster; 0: by n", 0, cta_counts),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_single",
    .name = "One block or one cluster",
    .version = "1.0",
    .summary = "one launch for small n; the blocks of a cluster exchange totals in shared memory",
    .reference = "NVIDIA, CUDA C++ Programming Guide: Distributed Shared Memory",
    .flags = SCAN_FLAG_IN_PLACE,
    .tile = 2048, /* 4 bytes in a line of one block; two of 8 bytes */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
