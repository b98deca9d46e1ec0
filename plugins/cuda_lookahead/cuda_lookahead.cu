/*
 * cuda_lookahead.cu - a single-pass scan whose memory traffic is a copy's, in one launch
 *
 * The algorithm is in lookahead_kernel.cuh, how a prefix comes about in lookahead_totals.cuh. Here:
 * the launch, and what outlives it. The status words and the counter of tickets are set to 0 before
 * the first run. A launch has a number, by which it knows its own words, and knows how many tickets
 * the launches before it took; so nothing has to be reset between runs.
 *
 * No CTA waits for ever. One that has looked for totals LOOKAHEAD_PATIENCE times in vain says so in
 * memory of the host and goes on without them. run then fails, and the next run begins with new
 * words.
 *
 * Decoupled look-ahead in CUB (NVIDIA/cccl, issue 6644, 2025);
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002 (a tile's total is published before its prefix is known); NVIDIA, "CUDA C++
 * Programming Guide", Asynchronous Data Copies.
 *
 * Work 2n and one addition per tile and CTA, steps O(tiles / CTAs). Moves 2n elements.
 */
#include "cuda_common.h"
#include "cuda_rows.cuh"
#include "lookahead_kernels.h"

/* What does not depend on the operator. */
struct lookahead_base : cuda_instance {
    unsigned *failed_tile; /* what control.failed_tile points to, as the host sees it */
};

template <typename Op> struct lookahead_instance : lookahead_base {
    using T = typename Op::value;
    Op op;
    lookahead_kernel<Op> kernel;
    lookahead_shape shape;
    unsigned shared; /* bytes, of a CTA */
    unsigned resident;
    uint64_t tile; /* elements */
    uint64_t n;
    bool inclusive;
    uint64_t bytes; /* of words and tickets, in `memory` */
    lookahead_turn turn;
    lookahead_control<lookahead_word<T>> control; /* without what changes with the launch */
};

/* The device may have written it since the host looked last. */
static volatile unsigned *failed_tile(const lookahead_base *self)
{
    return self->failed_tile;
}

template <typename Op>
static scan_status launch(lookahead_instance<Op> *self, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    cuda_context *cuda = self->cuda;
    const T *in = static_cast<const T *>(scan_host_pointer(from));
    T *out = static_cast<T *>(scan_host_pointer(to));
    lookahead_control<lookahead_word<T>> control = self->control;
    control.tiles = static_cast<unsigned>((self->n + cuda_skew(in) + self->tile - 1) / self->tile);
    const unsigned ctas = control.tiles < self->resident ? control.tiles : self->resident;
    if (lookahead_advance(&self->turn, control.tiles, ctas)) {
        *failed_tile(self) = LOOKAHEAD_NO_TILE;
        const cudaError_t error = cudaMemsetAsync(self->memory, 0, self->bytes, cuda->run_stream);
        if (error != cudaSuccess)
            return cuda_check(cuda->host, error, "cudaMemsetAsync of the status words");
    }
    control.launch = self->turn.launch;
    control.first_ticket = self->turn.first_ticket;
    return cuda_launch(cuda, "kernel:lookahead",
                       {ctas, lookahead_threads(self->shape), self->shared}, self->kernel, self->op,
                       {in, out, self->n, self->inclusive}, control, self->shape);
}

template <typename Op>
static scan_status run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    auto *self = static_cast<lookahead_instance<Op> *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = launch(self, from, to);
    if (status == SCAN_OK)
        status = cuda_finish(cuda);
    if (status == SCAN_OK && *failed_tile(self) != LOOKAHEAD_NO_TILE)
        status = cuda->host->fail(cuda->host, SCAN_ERROR,
                                  "tile %u looked %u times for the totals of all tiles before it "
                                  "and did not find all",
                                  *failed_tile(self), self->control.patience);
    if (status != SCAN_OK)
        self->turn = lookahead_turn(); /* how many tickets were taken is not known */
    return status;
}

static void destroy(void *opaque)
{
    const auto *self = static_cast<const lookahead_base *>(static_cast<cuda_instance *>(opaque));
    (void)cudaFreeHost(self->failed_tile); /* NULL does nothing */
    cuda_instance_destroy(opaque);
}

/* ---- how a CTA is divided ---------------------------------------------------------------- */

/* An array that does not begin at a multiple of 16 bytes may take a tile more. */
template <typename T> static uint64_t most_tiles(const scan_problem *problem, unsigned scanners)
{
    const auto rows = static_cast<unsigned>(problem->tunables[1]);
    return problem->n / lookahead_tile_elements<T>(scanners, rows) + 2;
}

/* The tunables, and for those that are 0 what is best: as many stages as shared memory holds; and
 * a reducer, or two where the order of the operands matters, which takes more shuffles. */
template <typename Op>
static lookahead_shape choose_shape(const cuda_context *cuda, const scan_problem *problem)
{
    lookahead_shape shape = {};
    shape.scanners = static_cast<unsigned>(problem->tunables[0]) / CUDA_WARP;
    shape.stages = static_cast<unsigned>(problem->tunables[2]);
    shape.reducers = static_cast<unsigned>(problem->tunables[3]);
    if (shape.reducers == 0)
        shape.reducers = Op::commutes ? 1 : 2;
    if (shape.stages == 0) {
        const uint64_t fit =
            cuda->max_shared / lookahead_stage_bytes<typename Op::value>(
                                   shape.scanners, static_cast<unsigned>(problem->tunables[1]));
        shape.stages = fit < LOOKAHEAD_LEAST_STAGES  ? LOOKAHEAD_LEAST_STAGES
                       : fit > LOOKAHEAD_MOST_STAGES ? LOOKAHEAD_MOST_STAGES
                                                     : static_cast<unsigned>(fit);
    }
    return shape;
}

/* What a launch of this problem looks like on the open device. */
struct lookahead_plan {
    lookahead_shape shape;
    unsigned shared;
    unsigned resident;
};

template <typename Op>
static scan_status prepare(cuda_context *cuda, const scan_problem *problem, lookahead_plan *plan_p)
{
    using T = typename Op::value;
    const scan_host *host = cuda->host;
    const auto rows = static_cast<unsigned>(problem->tunables[1]);
    const void *kernel = reinterpret_cast<const void *>(lookahead_kernel_of<Op>(rows));
    lookahead_plan plan = {};
    scan_status status = cuda_prepare(cuda, kernel, CUDA_WARP, 0, &plan.resident);
    if (status != SCAN_OK)
        return status;
    if (cuda->code_version < 90)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "bulk copies need compute capability 9.0, and code made for it; this is "
                          "%d.%d",
                          cuda->code_version / 10, cuda->code_version % 10);
    plan.shape = choose_shape<Op>(cuda, problem);
    plan.shared = static_cast<unsigned>(plan.shape.stages *
                                        lookahead_stage_bytes<T>(plan.shape.scanners, rows));
    if (most_tiles<T>(problem, plan.shape.scanners) > 0x7fffffffu)
        return host->fail(host, SCAN_UNSUPPORTED, "n needs more than 2^31-1 tiles");
    status = cuda_prepare(cuda, kernel, lookahead_threads(plan.shape), plan.shared, &plan.resident);
    if (status == SCAN_OK)
        *plan_p = plan;
    return status;
}

static scan_status supports(const scan_host *host, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    const unsigned block = static_cast<unsigned>(problem->tunables[0]);
    if (block % CUDA_WARP != 0)
        return host->fail(host, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                          block);
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        lookahead_plan plan;
        return prepare<decltype(op)>(static_cast<cuda_context *>(context), problem, &plan);
    });
}

/* ---- what is allocated once -------------------------------------------------------------- */

/* One word per tile, then the tickets. */
template <typename Op> static scan_status allocate(lookahead_instance<Op> *self, uint64_t tiles)
{
    using word = lookahead_word<typename Op::value>;
    const scan_host *host = self->cuda->host;
    self->bytes = tiles * sizeof(word) + sizeof(unsigned);
    const scan_status status = cuda_allocate_scratch(self->cuda, self->bytes, &self->memory);
    if (status != SCAN_OK)
        return status;
    self->control.words = static_cast<word *>(self->memory);
    self->control.tickets = reinterpret_cast<unsigned *>(self->control.words + tiles);
    void *memory = nullptr;
    cudaError_t error = cudaHostAlloc(&memory, sizeof(unsigned), cudaHostAllocMapped);
    if (error != cudaSuccess)
        return cuda_check(host, error, "cudaHostAlloc");
    self->failed_tile = static_cast<unsigned *>(memory);
    void *on_device = nullptr;
    if ((error = cudaHostGetDevicePointer(&on_device, memory, 0)) != cudaSuccess)
        return cuda_check(host, error, "cudaHostGetDevicePointer");
    self->control.failed_tile = static_cast<unsigned *>(on_device);
    return SCAN_OK;
}

template <typename Op>
static scan_status create_scan(cuda_context *cuda, const scan_problem *problem, Op op,
                               void **self_p)
{
    using T = typename Op::value;
    lookahead_instance<Op> *self = nullptr;
    lookahead_plan plan = {};
    scan_status status = prepare<Op>(cuda, problem, &plan);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    const unsigned rows = static_cast<unsigned>(problem->tunables[1]);
    self->run = run<Op>;
    self->op = op;
    self->kernel = lookahead_kernel_of<Op>(rows);
    self->shape = plan.shape;
    self->shared = plan.shared;
    self->resident = plan.resident;
    self->tile = lookahead_tile_elements<T>(plan.shape.scanners, rows);
    self->n = problem->n;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    self->control.patience = LOOKAHEAD_PATIENCE;
    if ((status = allocate(self, most_tiles<T>(problem, plan.shape.scanners))) != SCAN_OK) {
        destroy(self);
        return status;
    }
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

static const int64_t row_counts[] = {1, 2, 4, 8};
static const int64_t reducer_counts[] = {0, 1, 2};
static const int64_t stage_counts[] = {0, 2, 3, 4, 5, 6, 7, 8, 12, 16};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block that scan, a multiple of 32; others help", 256,
                       32, LOOKAHEAD_MOST_BLOCK),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread; a tile is block x rows of them", 8,
                      row_counts),
    SCAN_TUNABLE_LIST("stages", "tiles that a block holds; 0: as many as fit, at most 16", 0,
                      stage_counts),
    SCAN_TUNABLE_LIST("reducers", "warps that find totals of tiles; 0: by the operator", 0,
                      reducer_counts),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_lookahead",
    .name = "Pipeline of bulk copies with look-ahead",
    .version = "1.0",
    .summary = "one pass; tiles stream through shared memory, their totals are published early",
    .reference = "decoupled look-ahead in CUB, NVIDIA/cccl issue 6644; "
                 "Merrill and Garland, Decoupled Look-back, NVR-2016-002",
    .flags = SCAN_FLAG_IN_PLACE,
    .tile = 8192, /* of 4 bytes; two of 8 bytes */
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
