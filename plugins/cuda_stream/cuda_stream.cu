/*
 * cuda_stream.cu - a scan of more than the device holds: arrays in the host's memory, chunk by
 * chunk over the bus
 *
 * A chunk is copied to the device, scanned there in place, and copied back; three streams and a few
 * buffers let the copies in, the scans and the copies out of successive chunks overlap
 * (stream_pipeline.h). The carry stays on the device (stream_scan.cuh). Chunks are scanned by the
 * look-back kernel of cuda_lookback.
 *
 * Work 2n. Moves n elements over the bus in each direction and 4n in the device's memory, several
 * times as fast: the bus bounds it. cuda_stream_copy moves the same chunks over the bus and scans
 * nothing: the ceiling.
 */
#include "pinned_memory.h"
#include "stream_scan.cuh"

struct stream_instance : cuda_instance {
    const stream_pipeline *pipeline;
    stream_plan plan;
    stream_work work;
    cuda_words words; /* of a scan: behind the buffers in `memory`, and behind the carry */
};

/* ---- one run ---------------------------------------------------------------- */

static void record_stages(const scan_host *host, const stream_instance *self, const double *ns)
{
    host->record(host, "kernel:to_device", ns[STREAM_IN]);
    if (self->work.queue != nullptr)
        host->record(host, "kernel:scan", ns[STREAM_WORK]);
    host->record(host, "kernel:from_device", ns[STREAM_OUT]);
}

static scan_status stream_over(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    const stream_instance *self = static_cast<const stream_instance *>(instance);
    cuda_context *cuda = self->cuda;
    double stage_ns[STREAM_STAGES] = {};
    cuda_begin_on(cuda, self->pipeline->stream[STREAM_OUT]);
    if (self->plan.bytes == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, nullptr);
    if (status != SCAN_OK)
        return status;
    cuda_open_gate(cuda); /* more may be queued than a closed gate lets the driver keep */
    const stream_run run = {&self->plan,
                            static_cast<const char *>(scan_host_pointer(in)),
                            static_cast<char *>(scan_host_pointer(out)),
                            static_cast<char *>(self->memory),
                            self->work,
                            cuda->recording >= SCAN_RECORD_KERNELS ? stage_ns : nullptr,
                            cuda->recording != 0};
    status = cuda_check(cuda->host, stream_pipeline_run(self->pipeline, run), "queueing a chunk");
    if (status == SCAN_OK)
        status = cuda_finish(cuda);
    if (status == SCAN_OK && run.stage_ns != nullptr)
        record_stages(cuda->host, self, stage_ns);
    return status;
}

/* ---- instances ---------------------------------------------------------------- */

static stream_settings settings_of(const scan_problem *problem)
{
    return {static_cast<uint64_t>(problem->tunables[0]) << 10,
            static_cast<unsigned>(problem->tunables[1]),
            static_cast<uint64_t>(problem->tunables[2]) << 20};
}

static scan_status make_plan(const scan_host *host, const scan_problem *problem,
                             const stream_needs &needs, stream_plan *plan_p)
{
    if (stream_plan_make(problem->n * problem->element_bytes, settings_of(problem), needs, plan_p))
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED,
                      "device_memory of %lld MiB: the least that %u buffers take is %llu bytes",
                      static_cast<long long>(problem->tunables[2]), plan_p->buffers,
                      static_cast<unsigned long long>(plan_p->device_bytes));
}

static void destroy(void *opaque)
{
    const auto *self = static_cast<const stream_instance *>(static_cast<cuda_instance *>(opaque));
    cuda_words_destroy(&self->words);
    cuda_instance_destroy(opaque);
}

/* Makes an instance of the plan, with its memory on the device. */
template <typename Instance>
static scan_status make_instance(pinned_context *context, const stream_plan &plan,
                                 Instance **self_p)
{
    Instance *self = nullptr;
    scan_status status = cuda_instance_create(context->cuda, &self);
    if (status != SCAN_OK)
        return status;
    self->run = stream_over;
    self->pipeline = &context->pipeline;
    self->plan = plan;
    if (plan.bytes > 0)
        status = cuda_allocate_scratch(context->cuda, plan.device_bytes, &self->memory);
    if (status == SCAN_OK)
        *self_p = self;
    else
        destroy(static_cast<cuda_instance *>(self));
    return status;
}

/* ---- the scan ------------------------------------------------------------------ */

template <typename Op> struct stream_scan : stream_instance {
    stream_scanner<Op> scanner;
};

template <typename Op>
static cudaError_t scan_chunk(void *opaque, uint64_t chunk, char *data, cudaStream_t stream)
{
    using T = typename Op::value;
    auto *self = static_cast<stream_scan<Op> *>(opaque);
    const stream_plan &plan = self->plan;
    return self->scanner.queue({reinterpret_cast<T *>(data),
                                stream_bytes_of(plan, chunk) / sizeof(T), chunk == 0,
                                chunk + 1 == plan.chunks},
                               stream);
}

static scan_status scan_all(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    auto *self = static_cast<stream_instance *>(instance);
    const scan_host *host = self->cuda->host;
    scan_status status = stream_over(instance, in, out);
    const unsigned tile = cuda_words_failed_tile(&self->words);
    if (status == SCAN_OK && tile != CUDA_NO_TILE)
        status = host->fail(host, SCAN_ERROR,
                            "tile %u of a chunk looked %u times for words of tiles before it and "
                            "did not find all",
                            tile, self->words.patience);
    if (status != SCAN_OK)
        cuda_words_forget(&self->words); /* how many tickets were taken is not known */
    return status;
}

/* The plan, and the lines of the kernel that scans a chunk, which it loads. */
template <typename Op>
static scan_status prepare_scan(cuda_context *cuda, const scan_problem *problem,
                                stream_plan *plan_p, unsigned *lines_p)
{
    using T = typename Op::value;
    const uint64_t chunk =
        stream_wanted_chunk(problem->n * sizeof(T), settings_of(problem)) / sizeof(T);
    const unsigned lines = lookback_lines_for<T>(chunk, STREAM_BLOCK, cuda->limits.processors);
    const stream_needs needs = {lookback_tile_elements<T>(STREAM_BLOCK, lines) * sizeof(T),
                                sizeof(lookback_word<T>), CUDA_WORDS_AT};
    const scan_status status = make_plan(cuda->host, problem, needs, plan_p);
    if (status != SCAN_OK)
        return status;
    unsigned resident = 0;
    *lines_p = lines;
    return cuda_prepare(cuda, reinterpret_cast<const void *>(lookback_kernel_of<Op>(lines)),
                        STREAM_BLOCK, 0, &resident);
}

/* Behind the buffers lie the carry and the words. */
static scan_status make_words(stream_instance *self, char **carry_p)
{
    const stream_plan &plan = self->plan;
    const scan_status status =
        cuda_check(self->cuda->host, cuda_words_create(&self->words), "cudaHostAlloc of a word");
    if (status != SCAN_OK || plan.bytes == 0)
        return status;
    *carry_p = static_cast<char *>(self->memory) + plan.buffers * plan.stride_bytes;
    cuda_words_use(&self->words, *carry_p + STREAM_CARRY_BYTES, plan.words_bytes);
    return SCAN_OK;
}

template <typename Op>
static scan_status build_scan(pinned_context *context, const scan_problem *problem, Op op,
                              void **self_p)
{
    stream_plan plan = {};
    unsigned lines = 0;
    char *carry = nullptr;
    stream_scan<Op> *self = nullptr;
    scan_status status = prepare_scan<Op>(context->cuda, problem, &plan, &lines);
    if (status != SCAN_OK || (status = make_instance(context, plan, &self)) != SCAN_OK)
        return status;
    if ((status = make_words(self, &carry)) != SCAN_OK) {
        destroy(static_cast<cuda_instance *>(self));
        return status;
    }
    self->run = scan_all;
    self->work = {scan_chunk<Op>, self};
    self->scanner = {op,
                     STREAM_BLOCK,
                     lines,
                     problem->kind == SCAN_KIND_INCLUSIVE,
                     reinterpret_cast<typename Op::value *>(carry),
                     &self->words};
    *self_p = static_cast<cuda_instance *>(self);
    return SCAN_OK;
}

static scan_status supports(const scan_host *host, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        stream_plan plan = {};
        unsigned lines = 0;
        return prepare_scan<decltype(op)>(static_cast<const pinned_context *>(context)->cuda,
                                          problem, &plan, &lines);
    });
}

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return build_scan(static_cast<pinned_context *>(context), problem, op, self_p);
    });
}

/* ---- the copy ------------------------------------------------------------------ */

static scan_status supports_copy(const scan_host *host, const scan_plugin *, void *,
                                 const scan_problem *problem)
{
    stream_plan plan = {};
    return make_plan(host, problem, {}, &plan);
}

static scan_status create_copy(const scan_host *host, const scan_plugin *, void *context,
                               const scan_problem *problem, void **self_p)
{
    stream_plan plan = {};
    stream_instance *self = nullptr;
    scan_status status = make_plan(host, problem, {}, &plan);
    if (status == SCAN_OK)
        status = make_instance(static_cast<pinned_context *>(context), plan, &self);
    if (status == SCAN_OK)
        *self_p = static_cast<cuda_instance *>(self);
    return status;
}

/* ---- the plugins --------------------------------------------------------------- */

static const int64_t chunk_sizes[] = {0, 64, 1024, 4096, 16384, 65536};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_LIST("chunk", "KiB of a chunk; 0: by n, 1 to 64 MiB", 0, chunk_sizes),
    SCAN_TUNABLE_RANGE("buffers", "chunks on the device at once", 4, 1, STREAM_MOST_BUFFERS),
    SCAN_TUNABLE_RANGE("device_memory",
                       "the most MiB to allocate on the device, chunks shrink to it; 0: no limit",
                       0, 0, INT64_C(1) << 20),
};

static const scan_plugin stream_plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_stream",
    .name = "Out of core: look-back chunk by chunk",
    .version = "1.0",
    .summary = "arrays in pinned host memory, chunks over the bus; copies and scans overlap",
    .reference = "",
    /* As cuda_lookback. */
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_NONDETERMINISTIC,
    .tile = STREAM_LEAST_CHUNK / 4, /* the least chunk by n, in elements of 4 bytes */
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    PINNED_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = destroy,
};

static const scan_plugin copy_plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cuda_stream_copy",
    .name = "Copy over the bus and back",
    .version = "1.0",
    .summary = "chunks of pinned host memory to the device and back, both directions at once",
    .reference = "",
    SCAN_TUNABLES(tunables),
    PINNED_BACKEND,
    .supports = supports_copy,
    .create = create_copy,
    .run = cuda_instance_run,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&stream_plugin, &copy_plugin);
