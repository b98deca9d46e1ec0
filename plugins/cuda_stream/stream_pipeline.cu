/*
 * stream_pipeline.cu - queues the stages of all chunks, each behind what it needs
 */
#include "stream_pipeline.h"

cudaError_t stream_pipeline_make(stream_pipeline *pipeline)
{
    cudaError_t error = cudaEventCreate(&pipeline->begun);
    for (unsigned i = 0; i < STREAM_STAGES && error == cudaSuccess; i++)
        error = cudaStreamCreateWithFlags(&pipeline->stream[i], cudaStreamNonBlocking);
    for (stream_events &events : pipeline->buffer) {
        for (unsigned i = 0; i < STREAM_STAGES && error == cudaSuccess; i++) {
            error = cudaEventCreate(&events.begun[i]);
            if (error == cudaSuccess)
                error = cudaEventCreate(&events.ended[i]);
        }
    }
    return error;
}

static void free_event(cudaEvent_t event)
{
    if (event != nullptr)
        (void)cudaEventDestroy(event);
}

void stream_pipeline_free(stream_pipeline *pipeline)
{
    for (const stream_events &events : pipeline->buffer) {
        for (unsigned i = 0; i < STREAM_STAGES; i++) {
            free_event(events.begun[i]);
            free_event(events.ended[i]);
        }
    }
    free_event(pipeline->begun);
    for (cudaStream_t stream : pipeline->stream)
        if (stream != nullptr)
            (void)cudaStreamDestroy(stream);
    *pipeline = {};
}

/* Queues one stage of a chunk between its events. */
template <typename Queue>
static cudaError_t queue_stage(const stream_pipeline *pipeline, const stream_events &events,
                               stream_stage stage, bool timed, Queue queue)
{
    cudaStream_t stream = pipeline->stream[stage];
    cudaError_t error = timed ? cudaEventRecord(events.begun[stage], stream) : cudaSuccess;
    if (error == cudaSuccess)
        error = queue(stream);
    return error == cudaSuccess ? cudaEventRecord(events.ended[stage], stream) : error;
}

static cudaError_t queue_chunk(const stream_pipeline *pipeline, const stream_run &run,
                               uint64_t chunk)
{
    const stream_plan &plan = *run.plan;
    const unsigned at = static_cast<unsigned>(chunk % plan.buffers);
    const stream_events &events = pipeline->buffer[at];
    const uint64_t offset = chunk * plan.chunk_bytes, bytes = stream_bytes_of(plan, chunk);
    char *const data = run.device + at * plan.stride_bytes + plan.lead_bytes;
    const bool timed = run.stage_ns != nullptr;
    stream_stage last = STREAM_IN;

    cudaError_t error = cudaSuccess;
    if (chunk >= plan.buffers)
        error = cudaStreamWaitEvent(pipeline->stream[STREAM_IN], events.ended[STREAM_OUT], 0);
    if (error == cudaSuccess)
        error = queue_stage(pipeline, events, STREAM_IN, timed, [&](cudaStream_t stream) {
            return cudaMemcpyAsync(data, run.in + offset, bytes, cudaMemcpyHostToDevice, stream);
        });
    if (error == cudaSuccess && run.work.queue != nullptr) {
        error = cudaStreamWaitEvent(pipeline->stream[STREAM_WORK], events.ended[STREAM_IN], 0);
        if (error == cudaSuccess)
            error = queue_stage(pipeline, events, STREAM_WORK, timed, [&](cudaStream_t stream) {
                return run.work.queue(run.work.context, chunk, data, stream);
            });
        last = STREAM_WORK;
    }
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(pipeline->stream[STREAM_OUT], events.ended[last], 0);
    if (error == cudaSuccess)
        error = queue_stage(pipeline, events, STREAM_OUT, timed, [&](cudaStream_t stream) {
            return cudaMemcpyAsync(run.out + offset, data, bytes, cudaMemcpyDeviceToHost, stream);
        });
    return error;
}

/* Waits for the chunk that was last in a buffer, and adds the times of its stages. */
static cudaError_t add_times(const stream_pipeline *pipeline, const stream_run &run, uint64_t chunk)
{
    const stream_events &events = pipeline->buffer[chunk % run.plan->buffers];
    cudaError_t error = cudaEventSynchronize(events.ended[STREAM_OUT]);
    for (unsigned i = 0; i < STREAM_STAGES && error == cudaSuccess; i++) {
        float ms = 0;
        if (i == STREAM_WORK && run.work.queue == nullptr)
            continue;
        error = cudaEventElapsedTime(&ms, events.begun[i], events.ended[i]);
        run.stage_ns[i] += static_cast<double>(ms) * 1e6;
    }
    return error;
}

static cudaError_t queue_all(const stream_pipeline *pipeline, const stream_run &run)
{
    const uint64_t chunks = run.plan->chunks, buffers = run.plan->buffers;
    cudaError_t error = cudaSuccess;
    if (run.behind_out) {
        error = cudaEventRecord(pipeline->begun, pipeline->stream[STREAM_OUT]);
        if (error == cudaSuccess)
            error = cudaStreamWaitEvent(pipeline->stream[STREAM_IN], pipeline->begun, 0);
    }
    for (uint64_t chunk = 0; chunk < chunks && error == cudaSuccess; chunk++) {
        if (run.stage_ns != nullptr && chunk >= buffers)
            error = add_times(pipeline, run, chunk - buffers);
        if (error == cudaSuccess)
            error = queue_chunk(pipeline, run, chunk);
    }
    for (uint64_t left = buffers; left > 0 && error == cudaSuccess && run.stage_ns != nullptr;
         left--)
        error = add_times(pipeline, run, chunks - left);
    return error;
}

cudaError_t stream_pipeline_run(const stream_pipeline *pipeline, const stream_run &run)
{
    const cudaError_t error = queue_all(pipeline, run);
    if (error != cudaSuccess)
        for (cudaStream_t stream : pipeline->stream)
            (void)cudaStreamSynchronize(stream);
    return error;
}
