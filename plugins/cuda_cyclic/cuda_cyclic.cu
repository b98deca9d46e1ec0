/*
 * cuda_cyclic.cu - a single-pass scan over several devices: tiles dealt out in turn, totals over
 * peer memory
 *
 * Tile i lies on device i mod k, as in ScaLAPACK's block-cyclic layout. In contiguous slices every
 * device needs the total of those before it before it may write, so it reads its slice twice: 3n of
 * traffic. Tiles dealt out in turn are due on all devices at about the same time; so each device
 * runs the pipeline with look-ahead (lookahead_kernel.cuh), which reads everything once, and adds
 * up the totals of all tiles before its own on whichever device they lie.
 *
 * How a total gets there is in cyclic_words.cuh, which tiles a CTA works for and why it ends in
 * cyclic_kernel.cuh, the launch of a device in cyclic_launcher.cuh. Here: what can be set, and a
 * run on all devices. The devices must be able to access each other's memory.
 *
 * Parts that share a device, where there are fewer of them, share its multiprocessors, in one
 * launch. With one part this is the scan of cuda_lookahead.
 *
 * Blackford et al., "ScaLAPACK Users' Guide", 1997 (the layout); decoupled look-ahead in CUB
 * (NVIDIA/cccl, issue 6644, 2025); Merrill and Garland, "Single-pass Parallel Prefix Scan with
 * Decoupled Look-back", NVIDIA NVR-2016-002 (a tile's total is published before its prefix is
 * known).
 *
 * Work 2n and one addition per tile and CTA, steps O(tiles / CTAs). Moves 2n elements, and one word
 * per tile and device between devices.
 */
#include "cuda_crew.h"
#include "cuda_parts.h"
#include "cuda_rows.cuh"
#include "cuda_words.h"
#include "cyclic_launcher.cuh"

#include <cstring>

enum { BLOCK, ROWS, STAGES, REDUCERS, CTAS, PARTS };

static constexpr const char *PHASE = "kernel:cyclic";

static lookahead_settings settings_of(const scan_problem *problem)
{
    return {static_cast<unsigned>(problem->tunables[BLOCK]),
            static_cast<unsigned>(problem->tunables[ROWS]),
            static_cast<unsigned>(problem->tunables[STAGES]),
            static_cast<unsigned>(problem->tunables[REDUCERS]),
            static_cast<unsigned>(problem->tunables[CTAS]),
            false};
}

/* What does not depend on the operator. `words` has no memory of its own: there is a copy of the
 * words, behind tickets, in the memory of each part. */
struct cyclic_base : cuda_parts_instance {
    cuda_words words;
    uint64_t copy_bytes;
    cyclic_problem problem;
    unsigned used;  /* devices that have a part */
    cuda_crew crew; /* of as many; of one, if there are too few cores */
};

template <typename Op> struct cyclic_instance : cyclic_base {
    Op op;
    cyclic_device<Op> device[CYCLIC_MOST_PARTS];
};

/* ---- one run ------------------------------------------------------------------ */

/* Sets all tickets and words to 0, before any device can store into them. */
static scan_status clear(cyclic_base *self)
{
    return cuda_parts_each(self->parts, self->count, [self](uint32_t p, cuda_context *cuda) {
        cudaError_t error =
            cudaMemsetAsync(self->memory_of[p], 0, self->copy_bytes, cuda->copy_stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(cuda->copy_stream);
        return cuda_check(cuda->host, error, "cudaMemsetAsync of the status words");
    });
}

template <typename Op>
static scan_status take_buffers(cyclic_instance<Op> *self, const scan_buffer *in,
                                const scan_buffer *out)
{
    using T = typename Op::value;
    for (unsigned d = 0; d < self->used; d++) {
        for (unsigned i = 0; i < self->device[d].launch.count; i++) {
            cyclic_part<T> &part = self->device[d].launch.here[i];
            part.in = static_cast<const T *>(scan_host_pointer(in[part.part]));
            part.out = static_cast<T *>(scan_host_pointer(out[part.part]));
            if (cuda_skew(part.in) != 0)
                return self->cuda->host->fail(self->cuda->host, SCAN_ERROR,
                                              "the input of part %u does not begin at a multiple "
                                              "of 16 bytes",
                                              part.part);
        }
    }
    return SCAN_OK;
}

/* What became of the launch on each device. */
template <typename Op> struct launching {
    cyclic_instance<Op> *self;
    cudaError_t error[CYCLIC_MOST_PARTS];
};

/* By any thread. */
template <typename Op> static void launch_on(void *opaque, unsigned d)
{
    auto *order = static_cast<launching<Op> *>(opaque);
    cyclic_instance<Op> *self = order->self;
    const cuda_turn &turn = self->words.turn;
    const cuda_context *cuda = self->parts->of[d];
    order->error[d] = cudaSuccess;
    if (self->device[d].ctas == 0)
        return;
    order->error[d] = cudaSetDevice(cuda->device);
    if (order->error[d] == cudaSuccess)
        order->error[d] = self->device[d].start(self->op, self->problem.how, turn.launch,
                                                turn.first_ticket, cuda->stream);
}

/* One after the other: what is recorded waits behind a gate, so the order does not matter. */
template <typename Op> static scan_status launch_in_turn(launching<Op> *order)
{
    cyclic_instance<Op> *self = order->self;
    return cuda_parts_each(self->parts, self->used, [=](uint32_t d, cuda_context *cuda) {
        if (self->device[d].ctas == 0)
            return SCAN_OK;
        const scan_status status = cuda_mark(cuda, PHASE);
        if (status != SCAN_OK)
            return status;
        launch_on<Op>(order, d);
        return cuda_check(cuda->host, order->error[d], PHASE);
    });
}

/* Without records there is nothing to be done between the launches. */
template <typename Op> static scan_status launch_at_once(launching<Op> *order)
{
    cyclic_instance<Op> *self = order->self;
    self->crew.run(launch_on<Op>, order);
    scan_status status =
        cuda_parts_use(self->parts, 0); /* the caller may have done others' share */
    for (unsigned d = 0; d < self->used && status == SCAN_OK; d++)
        status = cuda_check(self->cuda->host, order->error[d], PHASE);
    return status;
}

template <typename Op> static scan_status launch_all(cyclic_instance<Op> *self)
{
    launching<Op> order = {self, {}};
    cuda_parts_begin(self->parts, self->used);
    const bool at_once = self->cuda->recording == 0 && self->crew.members() == self->used;
    const scan_status status = at_once ? launch_at_once(&order) : launch_in_turn(&order);
    return cuda_parts_finish(self->parts, self->used, status);
}

static scan_status check_tile(const cyclic_base *self)
{
    const scan_host *host = self->cuda->host;
    const unsigned tile = cuda_words_failed_tile(&self->words);
    if (tile == CUDA_NO_TILE)
        return SCAN_OK;
    return host->fail(host, SCAN_ERROR,
                      "tile %u, of part %u, looked %u times for words of tiles before it and did "
                      "not find all",
                      tile, tile % self->problem.parts, self->words.patience);
}

template <typename Op>
static scan_status run_parts(cuda_parts_instance *instance, const scan_buffer *in,
                             const scan_buffer *out)
{
    auto *self = static_cast<cyclic_instance<Op> *>(instance);
    scan_status status = take_buffers(self, in, out);
    if (status != SCAN_OK)
        return status;
    if (cuda_turn_advance(&self->words.turn, 1))
        status = clear(self);
    if (status == SCAN_OK)
        status = launch_all(self);
    if (status == SCAN_OK)
        status = check_tile(self);
    if (status != SCAN_OK)
        cuda_words_forget(&self->words); /* how many tickets were taken is not known */
    return status;
}

/* ---- instances ------------------------------------------------------------------ */

/* For the parts of device d. */
template <typename Op>
static scan_status load(const cuda_context *cuda, const cyclic_problem &problem, unsigned d,
                        cyclic_device<Op> *device)
{
    cuda_reason reason;
    const scan_status status = device->load(problem, d, cuda->limits, &reason);
    return status == SCAN_OK ? SCAN_OK : cuda->host->fail(cuda->host, status, "%s", reason.text);
}

static scan_status describe(const scan_host *host, const cuda_parts *parts,
                            const scan_problem *problem, cyclic_problem *problem_p)
{
    const lookahead_settings how = settings_of(problem);
    if (how.block % CUDA_WARP != 0)
        return host->fail(host, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                          how.block);
    *problem_p = {problem->n, cyclic_tile_elements(how, problem->element_bytes),
                  static_cast<unsigned>(problem->tunables[PARTS]), parts->devices, how};
    if (cyclic_tiles(*problem_p) > 0x7fffffffu)
        return host->fail(host, SCAN_UNSUPPORTED, "n needs more than 2^31-1 tiles");
    return SCAN_OK;
}

static unsigned devices_used(const cyclic_problem &problem)
{
    return problem.parts < problem.devices ? problem.parts : problem.devices;
}

template <typename Op>
static scan_status supports_operator(cuda_parts *parts, const cyclic_problem &problem)
{
    return cuda_parts_each(parts, devices_used(problem), [&](uint32_t d, const cuda_context *cuda) {
        cyclic_device<Op> device = {};
        return load(cuda, problem, d, &device);
    });
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    cuda_parts *parts = cuda_parts_of(context);
    cyclic_problem described;
    scan_status status = describe(host, parts, problem, &described);
    if (status == SCAN_OK)
        status = cuda_parts_connect(parts, described.parts);
    if (status != SCAN_OK)
        return status;
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return supports_operator<decltype(op)>(parts, described);
    });
}

static void destroy(void *opaque)
{
    auto *self = static_cast<cyclic_base *>(static_cast<cuda_instance *>(opaque));
    self->crew.stop();
    cuda_words_destroy(&self->words);
    cuda_parts_destroy(opaque);
}

static scan_status start_crew(cyclic_base *self)
{
    const scan_host *host = self->cuda->host;
    const int error = host->places < self->used ? 0 : self->crew.start(self->used);
    return error == 0 ? SCAN_OK
                      : host->fail(host, SCAN_ERROR, "pthread_create: %s", strerror(error));
}

/* The words of all parts, and where they are. */
template <typename Op> static scan_status allocate(cyclic_instance<Op> *self)
{
    using word = typename cyclic_device<Op>::word;
    self->copy_bytes = cuda_words_bytes(cyclic_tiles(self->problem) + 1, sizeof(word));
    scan_status status = cuda_parts_allocate_scratch(self, self->copy_bytes);
    if (status == SCAN_OK)
        status = cuda_check(self->cuda->host, cuda_words_create(&self->words),
                            "cudaHostAlloc of a word");
    for (unsigned d = 0; d < self->used && status == SCAN_OK; d++) {
        auto &launch = self->device[d].launch;
        for (unsigned p = 0; p < self->count; p++)
            launch.copy[p] =
                reinterpret_cast<word *>(static_cast<char *>(self->memory_of[p]) + CUDA_WORDS_AT);
        for (unsigned i = 0; i < launch.count; i++)
            launch.here[i].tickets = static_cast<unsigned *>(self->memory_of[launch.here[i].part]);
        launch.failed_tile = self->words.failed_tile_on_device;
        launch.patience = self->words.patience;
    }
    return status;
}

template <typename Op>
static scan_status create_for(cuda_context *cuda, const cyclic_problem &problem, bool inclusive,
                              Op op, void **self_p)
{
    cyclic_instance<Op> *self = nullptr;
    scan_status status = cuda_parts_create(cuda, problem.parts, &self);
    if (status != SCAN_OK)
        return status;
    self->run_parts = run_parts<Op>;
    self->problem = problem;
    self->used = devices_used(problem);
    self->op = op;
    status = cuda_parts_each(self->parts, self->used, [&](uint32_t d, const cuda_context *one) {
        return load(one, problem, d, &self->device[d]);
    });
    if (status == SCAN_OK)
        status = allocate(self);
    if (status == SCAN_OK)
        status = start_crew(self);
    for (unsigned d = 0; d < self->used; d++)
        self->device[d].launch.inclusive = inclusive;
    if (status == SCAN_OK)
        *self_p = static_cast<cuda_instance *>(self);
    else
        destroy(static_cast<cuda_instance *>(self));
    return status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    auto *cuda = static_cast<cuda_context *>(context);
    cyclic_problem described;
    scan_status status = describe(host, cuda->parts, problem, &described);
    if (status == SCAN_OK)
        status = cuda_parts_connect(cuda->parts, described.parts);
    if (status != SCAN_OK)
        return status;
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return create_for(cuda, described, problem->kind == SCAN_KIND_INCLUSIVE, op, self_p);
    });
}

/* ---- the plugin ------------------------------------------------------------------- */

static uint64_t tile_of(const scan_plugin *plugin, const scan_problem *problem)
{
    (void)plugin;
    return cyclic_tile_elements(settings_of(problem), problem->element_bytes);
}

static const scan_parts parts = {.struct_size = sizeof(scan_parts),
                                 .layout = SCAN_LAYOUT_CYCLIC,
                                 .tile = tile_of,
                                 .allocate = cuda_parts_allocate,
                                 .run = cuda_parts_run};

static const void *get_extension(const scan_plugin *plugin, const char *name)
{
    (void)plugin;
    return strcmp(name, SCAN_PARTS) == 0 ? &parts : nullptr;
}

static const int64_t row_counts[] = {1, 2, 4, 8};
static const int64_t reducer_counts[] = {0, 1, 2};
static const int64_t stage_counts[] = {0, 2, 3, 4, 5, 6, 7, 8, 12, 16};
static const int64_t cta_counts[] = {0, 1, 2, 3, 4};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block that scan, a multiple of 32; others help", 256,
                       32, CYCLIC_MOST_BLOCK),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread; a tile is block x rows of them", 8,
                      row_counts),
    SCAN_TUNABLE_LIST("stages", "tiles that a block holds; 0: as many as fit, at most 16", 0,
                      stage_counts),
    SCAN_TUNABLE_LIST("reducers", "warps that find totals of tiles; 0: by the operator", 0,
                      reducer_counts),
    SCAN_TUNABLE_LIST("ctas", "blocks per multiprocessor, which share its memory; 0: all that fit",
                      0, cta_counts),
    SCAN_TUNABLE_RANGE(SCAN_PARTS_TUNABLE, "devices, each with every so many-th tile", 1, 1,
                       CYCLIC_MOST_PARTS),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_cyclic",
    .name = "Look-ahead over several GPUs, tiles dealt out in turn",
    .version = "1.0",
    .summary = "one pass on all GPUs; each tile's total goes to all of them over peer memory",
    .reference = "block-cyclic layout of ScaLAPACK; decoupled look-ahead in CUB, NVIDIA/cccl issue "
                 "6644; Merrill and Garland, Decoupled Look-back, NVR-2016-002",
    .flags = SCAN_FLAG_IN_PLACE,
    .tile = 8192, /* of 4 bytes; two of 8 bytes */
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_PARTS_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = destroy,
    .get_extension = get_extension,
};

SCAN_EXPORT_PLUGINS(&plugin);
