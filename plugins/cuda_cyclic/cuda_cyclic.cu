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
 * cyclic_kernel.cuh, the launch of a device in cyclic_launcher.cuh, a run on all devices in
 * cyclic_run.cuh. Here: instances, and what can be set. The devices must be able to access each
 * other's memory.
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
#include "cyclic_run.cuh"
#include "lookahead_tunables.h"

#include <cstring>

enum { PARTS_TUNABLE = LOOKAHEAD_TUNABLE_COUNT };

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
    const lookahead_settings how = lookahead_settings_of(problem);
    *problem_p = {problem->n, cyclic_tile_elements(how, problem->element_bytes),
                  static_cast<unsigned>(problem->tunables[PARTS_TUNABLE]), parts->devices, how};
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
    self->run_parts = cyclic_run<Op>;
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
    return cyclic_tile_elements(lookahead_settings_of(problem), problem->element_bytes);
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

static const scan_tunable tunables[] = {
    LOOKAHEAD_TUNABLES(CYCLIC_MOST_BLOCK),
    SCAN_TUNABLE_RANGE(SCAN_PARTS_TUNABLE, "devices, to which tiles are dealt out in turn", 1, 1,
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
