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
 * Work 2n, steps O(rows + log(block)) a round. Moves 2n elements.
 */
#include "cuda_common.h"
#include "single_kernel.cuh"

template <typename Op, typename T = typename Op::value>
using single_kernel = void (*)(Op op, const T *in, T *out, uint64_t n, bool inclusive,
                               unsigned ctas);

template <typename Op> static single_kernel<Op> kernel_of(unsigned rows)
{
    using T = typename Op::value;
    switch (rows) {
    case 1:
        return single_scan<Op, 1, T>;
    case 2:
        return single_scan<Op, 2, T>;
    case 4:
        return single_scan<Op, 4, T>;
    default:
        return single_scan<Op, 8, T>;
    }
}

template <typename Op> struct single_instance : cuda_instance {
    Op op;
    single_shape shape;
    uint64_t n;
    bool inclusive;
};

template <typename Op>
static scan_status run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    const auto *self = static_cast<const single_instance<Op> *>(instance);
    const unsigned ctas = self->shape.ctas;
    cuda_begin(self->cuda);
    if (self->n == 0)
        return SCAN_OK;
    cuda_grid grid = {ctas, self->shape.block, 0};
    grid.cluster = ctas;
    const scan_status status =
        cuda_launch(self->cuda, "kernel:single", grid, kernel_of<Op>(self->shape.rows), self->op,
                    static_cast<const T *>(scan_host_pointer(from)),
                    static_cast<T *>(scan_host_pointer(to)), self->n, self->inclusive, ctas);
    return status == SCAN_OK ? cuda_finish(self->cuda) : status;
}

/* Does a cluster of `ctas` blocks fit on the device? */
template <typename Op>
static scan_status fits(cuda_context *cuda, single_kernel<Op> kernel, unsigned block, unsigned ctas,
                        bool *fits_p)
{
    const void *function = reinterpret_cast<const void *>(kernel);
    cudaError_t error = cudaSuccess;
    if (ctas > SINGLE_PORTABLE_CLUSTER)
        error = cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaFuncSetAttribute");
    cudaLaunchAttribute cluster = cuda_cluster_attribute(ctas);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(ctas);
    config.blockDim = dim3(block);
    config.attrs = &cluster;
    config.numAttrs = 1;
    int clusters = 0;
    error = cudaOccupancyMaxActiveClusters(&clusters, function, &config);
    if (error == cudaErrorInvalidClusterSize) {
        (void)cudaGetLastError();
        clusters = 0;
    } else if (error != cudaSuccess) {
        return cuda_check(cuda->host, error, "cudaOccupancyMaxActiveClusters");
    }
    *fits_p = clusters > 0;
    return SCAN_OK;
}

/* The largest cluster to choose. The kernel with the most rows stands for all: it needs the most
 * registers. */
template <typename Op>
static scan_status find_most_ctas(cuda_context *cuda, unsigned block, unsigned *most_p)
{
    const single_kernel<Op> kernel = kernel_of<Op>(SINGLE_MOST_ROWS);
    unsigned most = 1, resident = 0;
    scan_status status =
        cuda_prepare(cuda, reinterpret_cast<const void *>(kernel), block, 0, &resident);
    for (unsigned ctas = SINGLE_PORTABLE_CLUSTER;
         status == SCAN_OK && cuda->code_version >= 90 && ctas <= SINGLE_MOST_CLUSTER; ctas *= 2) {
        bool fit = false;
        status = fits<Op>(cuda, kernel, block, ctas, &fit);
        if (fit)
            most = ctas;
    }
    *most_p = most;
    return status;
}

/* Loads the kernel for a problem and says in which shape it is to run. */
template <typename Op>
static scan_status prepare(cuda_context *cuda, const scan_problem *problem, single_shape *shape_p)
{
    const scan_host *host = cuda->host;
    const single_shape wanted = {static_cast<unsigned>(problem->tunables[0]),
                                 static_cast<unsigned>(problem->tunables[1]),
                                 static_cast<unsigned>(problem->tunables[2])};
    unsigned most_ctas = 1, resident = 0;
    scan_status status = find_most_ctas<Op>(cuda, wanted.block, &most_ctas);
    if (status != SCAN_OK)
        return status;
    /* An array that does not begin at a multiple of 16 bytes may need 15 more. */
    const single_shape shape =
        single_choose(wanted, problem->n * problem->element_bytes + 15, most_ctas);
    const single_kernel<Op> kernel = kernel_of<Op>(shape.rows);
    status = cuda_prepare(cuda, reinterpret_cast<const void *>(kernel), shape.block, 0, &resident);
    if (status != SCAN_OK)
        return status;
    if (shape.ctas > 1) {
        bool fit = false;
        if (cuda->code_version < 90)
            return host->fail(host, SCAN_UNSUPPORTED,
                              "ctas %u: clusters need compute capability 9.0, and code made for it",
                              shape.ctas);
        if ((status = fits<Op>(cuda, kernel, shape.block, shape.ctas, &fit)) != SCAN_OK)
            return status;
        if (!fit)
            return host->fail(host, SCAN_UNSUPPORTED,
                              "no cluster of %u blocks of %u threads fits on this device",
                              shape.ctas, shape.block);
    }
    *shape_p = shape;
    return SCAN_OK;
}

static scan_status supports(const scan_host *host, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    const unsigned block = static_cast<unsigned>(problem->tunables[0]);
    if (block % CUDA_WARP != 0)
        return host->fail(host, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                          block);
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        single_shape shape;
        return prepare<decltype(op)>(static_cast<cuda_context *>(context), problem, &shape);
    });
}

template <typename Op>
static scan_status create_scan(cuda_context *cuda, const scan_problem *problem, Op op,
                               void **self_p)
{
    single_instance<Op> *self = nullptr;
    single_shape shape;
    scan_status status = prepare<Op>(cuda, problem, &shape);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    self->run = run<Op>;
    self->op = op;
    self->shape = shape;
    self->n = problem->n;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    *self_p = static_cast<cuda_instance *>(self);
    return SCAN_OK;
}

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return create_scan(static_cast<cuda_context *>(context), problem, op, self_p);
    });
}

static const int64_t row_counts[] = {0, 1, 2, 4, 8};
static const int64_t cta_counts[] = {0, 1, 2, 4, 8, 16};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, a multiple of 32", 512, 32, 1024),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread; 0: by n", 0, row_counts),
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
    .tile = 2048, /* 4 bytes in a row of one block; two of 8 bytes */
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
