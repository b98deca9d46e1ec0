/*
 * cuda_multi.cu - a scan over several GPUs of one host: a slice on each, reduced first, then
 * scanned from the totals of the slices before it
 *
 *     each device but the last reduces its slice (multi_reduce.cuh);
 *     its total goes to all later parts, as a word that carries the run's number;
 *     each device scans its slice with one of the project's single-pass scans, which begins with
 *     the totals of all parts before it (multi_carry.cuh).
 *
 * The host queues all of it and waits once (multi_run.cuh). Totals go through peer memory: the last
 * block of a reduction stores into the memory of each later part, and the scans poll their own, a
 * bounded number of times. Or the streams wait for each other's reductions by events, so that
 * nothing is polled in vain, which is also done where parts share a device; or NCCL gathers the
 * totals.
 *
 * Every element but the last part's is read twice and written once, because nothing may be written
 * before the totals of all parts before it are known: with 3n of traffic against 2n, k devices
 * reach 2k/3 of one that reads once. The last device waits meanwhile, and cannot help: a reduction
 * is limited by the memory in which the slice lies (on an H200 it reads 4.47 TB/s of 4.8), whoever
 * reads it, and the last slice takes a whole scan after that. What can be gained is read ahead:
 * tiles in shared memory, and what the reduction read last is in the L2 cache. Measured on two
 * H200s, and left out: that the last device fills its L2 cache while it waits gains nothing; that
 * a scan begins while its part's reduction ends costs 2 % at 10^8 elements a part and more.
 * Work 3n, steps those of a part and O(k).
 *
 * Blelloch, "Prefix Sums and Their Applications", 1990 (each processor sums its part, scans it from
 * the totals before it); the scans are those of cuda_lookahead and cuda_lookback.
 */
#include "cuda_parts.h"
#include "multi_run.cuh"

#include <cstring>

enum multi_exchange { EXCHANGE_WORDS, EXCHANGE_EVENTS, EXCHANGE_NCCL };
enum { PARTS_TUNABLE, EXCHANGE_TUNABLE, METHOD_TUNABLE, TUNABLES };

/* ---- making an instance -------------------------------------------------------- */

static uint32_t count_of(const scan_problem *problem)
{
    return static_cast<uint32_t>(problem->tunables[PARTS_TUNABLE]);
}

static uint64_t length_of(const scan_problem *problem, uint32_t p)
{
    const uint32_t count = count_of(problem);
    return scan_parts_length(problem->n, scan_parts_slice(problem->n, count), count, p);
}

template <typename Op>
static scan_status load_part(const cuda_context *cuda, const scan_problem *problem, uint32_t p,
                             multi_part<Op> *part)
{
    cuda_reason reason;
    multi_settings settings = multi_usual_settings;
    if (problem->tunables[METHOD_TUNABLE] == MULTI_LOOKBACK)
        settings.method = MULTI_LOOKBACK;
    const scan_status status = part->load(cuda->limits, length_of(problem, p), settings, &reason);
    part->reduces = p + 1 < count_of(problem) && length_of(problem, p + 1) > 0;
    return status == SCAN_OK ? SCAN_OK : cuda->host->fail(cuda->host, status, "%s", reason.text);
}

/* A part's words, its event, and where it finds the others. Its device is current. */
template <typename Op>
static scan_status furnish(multi_instance<Op> *self, uint32_t p, const cuda_context *cuda)
{
    using word = multi_word<typename Op::value>;
    const multi_layout &at = self->layout;
    multi_part<Op> *part = &self->part[p];
    word *everyone[SCAN_PARTS_MOST];
    for (uint32_t q = 0; q < self->count; q++)
        everyone[q] =
            reinterpret_cast<word *>(static_cast<char *>(self->memory_of[q]) + at.carries);
    part->memory = static_cast<char *>(self->memory_of[p]);
    cudaError_t error = cuda_words_create(&part->words);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaHostAlloc of a word");
    cuda_words_use(&part->words, part->memory + at.words, at.bytes - at.words);
    error = cudaEventCreateWithFlags(&self->reduced[p], cudaEventDisableTiming);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaEventCreateWithFlags");
    return cuda_check(cuda->host,
                      cudaMemcpy(part->memory + at.everyone, everyone,
                                 self->count * sizeof *everyone, cudaMemcpyHostToDevice),
                      "cudaMemcpy of addresses");
}

template <typename Op> static void release(multi_base *base)
{
    multi_instance<Op> *self = static_cast<multi_instance<Op> *>(base);
    (void)cuda_parts_each(self->parts, self->count, [=](uint32_t p, const cuda_context *) {
        if (self->reduced[p] != nullptr)
            (void)cudaEventDestroy(self->reduced[p]);
        cuda_words_destroy(&self->part[p].words);
        return SCAN_OK;
    });
    multi_nccl_free(self->nccl);
    cuda_parts_destroy(static_cast<cuda_instance *>(self));
}

static void destroy(void *opaque)
{
    multi_base *self = static_cast<multi_base *>(static_cast<cuda_instance *>(opaque));
    self->release(self);
}

template <typename Op>
static scan_status load_parts(multi_instance<Op> *self, const scan_problem *problem)
{
    uint64_t tiles = 0;
    unsigned totals = 0;
    const scan_status status =
        cuda_parts_each(self->parts, self->count, [&](uint32_t p, const cuda_context *cuda) {
            multi_part<Op> *part = &self->part[p];
            const scan_status loaded = load_part(cuda, problem, p, part);
            if (loaded == SCAN_OK) {
                tiles = part->most_tiles() > tiles ? part->most_tiles() : tiles;
                totals = part->totals() > totals ? part->totals() : totals;
            }
            return loaded;
        });
    if (status == SCAN_OK)
        self->layout = multi_layout_of<typename Op::value>(self->count, tiles, totals);
    return status;
}

template <typename Op>
static scan_status build(multi_instance<Op> *self, const scan_problem *problem)
{
    const int64_t exchange = problem->tunables[EXCHANGE_TUNABLE];
    scan_status status = cuda_parts_connect(self->parts, self->count);
    if (status == SCAN_OK)
        status = load_parts(self, problem);
    if (status == SCAN_OK)
        status = cuda_parts_allocate_scratch(self, self->layout.bytes);
    if (status == SCAN_OK)
        status =
            cuda_parts_each(self->parts, self->count, [=](uint32_t p, const cuda_context *cuda) {
                return furnish(self, p, cuda);
            });
    self->waits = exchange == EXCHANGE_EVENTS || cuda_parts_share(self->parts, self->count);
    if (status == SCAN_OK && exchange == EXCHANGE_NCCL && self->count > 1)
        status = multi_nccl_make(self->parts, self->count, &self->nccl);
    return status;
}

template <typename Op>
static scan_status create_for(cuda_context *cuda, const scan_problem *problem, Op op, void **self_p)
{
    multi_instance<Op> *self = nullptr;
    scan_status status = cuda_parts_create(cuda, count_of(problem), &self);
    if (status != SCAN_OK)
        return status;
    self->op = op;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    self->run_parts = multi_run<Op>;
    self->release = release<Op>;
    if ((status = build(self, problem)) == SCAN_OK)
        *self_p = static_cast<cuda_instance *>(self);
    else
        self->release(self);
    return status;
}

/* ---- the slots ------------------------------------------------------------------- */

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return create_for(static_cast<cuda_context *>(context), problem, op, self_p);
    });
}

/* Of each device that has a part, its first one stands for all. */
static scan_status supports(const scan_host *host, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    cuda_parts *parts = cuda_parts_of(context);
    const uint32_t count = count_of(problem);
    scan_status status = cuda_parts_connect(parts, count);
    if (status == SCAN_OK && problem->tunables[EXCHANGE_TUNABLE] == EXCHANGE_NCCL)
        status = multi_nccl_check(parts, count);
    if (status != SCAN_OK)
        return status;
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        const uint32_t devices = count < parts->devices ? count : parts->devices;
        return cuda_parts_each(parts, devices, [&](uint32_t p, const cuda_context *cuda) {
            multi_part<decltype(op)> part = {};
            return load_part(cuda, problem, p, &part);
        });
    });
}

static const int64_t exchanges[] = {EXCHANGE_WORDS, EXCHANGE_EVENTS, EXCHANGE_NCCL};
static const int64_t methods[] = {MULTI_LOOKAHEAD, MULTI_LOOKBACK};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE(SCAN_PARTS_TUNABLE, "slices, each on a device of its own", 1, 1,
                       SCAN_PARTS_MOST),
    SCAN_TUNABLE_LIST("exchange",
                      "of totals: 0: stored to peers, polled there; 1: the same, awaited by "
                      "events; 2: all-gather of NCCL",
                      EXCHANGE_WORDS, exchanges),
    SCAN_TUNABLE_LIST("method",
                      "scan of a slice; 0: look-ahead, from compute capability 9.0 on; 1: "
                      "look-back",
                      MULTI_LOOKAHEAD, methods),
};

static const scan_parts parts = {.struct_size = sizeof(scan_parts),
                                 .layout = SCAN_LAYOUT_CONTIGUOUS,
                                 .tile = nullptr,
                                 .allocate = cuda_parts_allocate,
                                 .run = cuda_parts_run};

static const void *get_extension(const scan_plugin *, const char *name)
{
    return strcmp(name, SCAN_PARTS) == 0 ? &parts : nullptr;
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_multi",
    .name = "Slices on several GPUs",
    .version = "1.0",
    .summary = "each GPU reduces its slice, then scans it from the totals of those before it",
    .reference = "Blelloch, Prefix Sums and Their Applications, 1990",
    /* Float sums by look-back depend on the timing. */
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_NONDETERMINISTIC,
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
