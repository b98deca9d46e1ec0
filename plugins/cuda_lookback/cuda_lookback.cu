/*
 * cuda_lookback.cu - the chained scan with decoupled look-back, in one launch
 *
 * The algorithm is in lookback_kernel.cuh, what tiles say to each other in lookback_words.cuh.
 * Here: the launch, and what outlives it. The status words and the counter of tickets are set to 0
 * before the first run. A launch has a number, by which it knows its own words, and knows how many
 * tickets the launches before it took; so nothing has to be reset between runs. The numbers have 30
 * bits: every 2^30 - 1 runs the words are set to 0 again.
 *
 * No tile waits for ever. One that has looked back LOOKBACK_PATIENCE times in vain says so in its
 * own word, which makes the tiles behind it give up as well, and in memory of the host. run then
 * fails, and the next run begins with new words.
 *
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002.
 *
 * Work 2n, steps O(rows + log(block) + tiles). Moves 2n elements.
 */
#include "cuda_common.h"
#include "cuda_rows.cuh"
#include "lookback_kernels.h"

static constexpr unsigned NO_TILE = ~0u;

/* What does not depend on the operator. */
struct lookback_base : cuda_instance {
    unsigned *failed_tile; /* what control.failed_tile points to, as the host sees it */
};

template <typename Op> struct lookback_instance : lookback_base {
    using T = typename Op::value;
    Op op;
    lookback_kernel<Op> kernel;
    unsigned block;
    uint64_t tile; /* elements */
    uint64_t n;
    bool inclusive;
    uint64_t bytes; /* of words and tickets, in `memory` */
    lookback_turn turn;
    lookback_control<lookback_word<T>> control; /* without this launch's numbers */
};

/* The device may have written it since the host looked last. */
static volatile unsigned *failed_tile(const lookback_base *self)
{
    return self->failed_tile;
}

template <typename Op>
static scan_status launch(lookback_instance<Op> *self, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    cuda_context *cuda = self->cuda;
    const T *in = static_cast<const T *>(scan_host_pointer(from));
    T *out = static_cast<T *>(scan_host_pointer(to));
    const uint64_t tiles = (self->n + cuda_skew(in) + self->tile - 1) / self->tile;
    if (lookback_advance(&self->turn, static_cast<unsigned>(tiles))) {
        *failed_tile(self) = NO_TILE;
        const cudaError_t error = cudaMemsetAsync(self->memory, 0, self->bytes, cuda->run_stream);
        if (error != cudaSuccess)
            return cuda_check(cuda->host, error, "cudaMemsetAsync of the status words");
    }
    lookback_control<lookback_word<T>> control = self->control;
    control.launch = self->turn.launch;
    control.first_ticket = self->turn.first_ticket;
    return cuda_launch(cuda, "kernel:lookback", {tiles, self->block, 0}, self->kernel, self->op,
                       {in, out, self->n, self->inclusive}, control);
}

template <typename Op>
static scan_status run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    auto *self = static_cast<lookback_instance<Op> *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = launch(self, from, to);
    if (status == SCAN_OK)
        status = cuda_finish(cuda);
    if (status == SCAN_OK && *failed_tile(self) != NO_TILE)
        status = cuda->host->fail(cuda->host, SCAN_ERROR,
                                  "tile %u looked back %u times and found no word of some tile",
                                  *failed_tile(self), self->control.patience);
    if (status != SCAN_OK)
        self->turn = lookback_turn(); /* how many tickets were taken is not known */
    return status;
}

static void destroy(void *opaque)
{
    const auto *self = static_cast<const lookback_base *>(static_cast<cuda_instance *>(opaque));
    (void)cudaFreeHost(self->failed_tile); /* NULL does nothing */
    cuda_instance_destroy(opaque);
}

/* ---- what is allocated once ---------------------------------------------------------- */

/* One word per tile, then the tickets. */
template <typename Op> static scan_status allocate(lookback_instance<Op> *self, uint64_t tiles)
{
    using word = lookback_word<typename Op::value>;
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

template <typename T> static unsigned rows_of(const cuda_context *cuda, const scan_problem *problem)
{
    const unsigned asked = static_cast<unsigned>(problem->tunables[1]);
    return asked > 0 ? asked
                     : lookback_rows_for<T>(problem->n, static_cast<unsigned>(problem->tunables[0]),
                                            cuda->processors);
}

/* An array that does not begin at a multiple of 16 bytes may take a tile more. */
template <typename T>
static uint64_t most_tiles(const cuda_context *cuda, const scan_problem *problem)
{
    const uint64_t tile = lookback_tile_elements<T>(static_cast<unsigned>(problem->tunables[0]),
                                                    rows_of<T>(cuda, problem));
    return problem->n / tile + 2;
}

template <typename Op>
static scan_status prepare(cuda_context *cuda, const scan_problem *problem, Op)
{
    using T = typename Op::value;
    unsigned resident = 0;
    if (most_tiles<T>(cuda, problem) > 0x7fffffffu)
        return cuda->host->fail(cuda->host, SCAN_UNSUPPORTED, "n needs more than 2^31-1 tiles");
    const lookback_kernel<Op> kernel = lookback_kernel_of<Op>(rows_of<T>(cuda, problem));
    return cuda_prepare(cuda, reinterpret_cast<const void *>(kernel),
                        static_cast<unsigned>(problem->tunables[0]), 0, &resident);
}

static scan_status supports(const scan_host *host, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    const unsigned block = static_cast<unsigned>(problem->tunables[0]);
    if (block % CUDA_WARP != 0)
        return host->fail(host, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                          block);
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return prepare(static_cast<cuda_context *>(context), problem, op);
    });
}

template <typename Op>
static scan_status create_scan(cuda_context *cuda, const scan_problem *problem, Op op,
                               void **self_p)
{
    using T = typename Op::value;
    lookback_instance<Op> *self = nullptr;
    scan_status status = prepare(cuda, problem, op);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    const unsigned rows = rows_of<T>(cuda, problem);
    self->run = run<Op>;
    self->op = op;
    self->kernel = lookback_kernel_of<Op>(rows);
    self->block = static_cast<unsigned>(problem->tunables[0]);
    self->tile = lookback_tile_elements<T>(self->block, rows);
    self->n = problem->n;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    self->control.window = static_cast<unsigned>(problem->tunables[2]) / CUDA_WARP;
    self->control.patience = LOOKBACK_PATIENCE;
    if ((status = allocate(self, most_tiles<T>(cuda, problem))) != SCAN_OK) {
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

static const int64_t row_counts[] = {0, 1, 2, 4, LOOKBACK_MOST_ROWS};
static const int64_t windows[] = {32, 64, 96, 128};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, a multiple of 32", 1024, 32, 1024),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread, block x rows in a tile; 0: by n", 0,
                      row_counts),
    SCAN_TUNABLE_LIST("window", "tiles whose words a look-back asks for at once", 128, windows),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_lookback",
    .name = "Chained scan, decoupled look-back",
    .version = "1.0",
    .summary = "one pass; tiles publish their totals and look back for the prefix before them",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Which totals and prefixes are added up depends on the timing, and so float sums do. */
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_NONDETERMINISTIC,
    .tile = 4096, /* of 4 bytes in one row; two of 8 bytes */
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
