/*
 * stream_pipeline.h - three streams that bring chunks to the device, work on them there, and take
 * them back
 *
 *     in     waits until the chunk's buffer has been emptied, copies the chunk in
 *     work   waits for that, works on the chunk where it lies
 *     out    waits for that, copies it back
 *
 * All chunks are queued at once; the host waits once, for the last copy. The stages of successive
 * chunks overlap: the bus carries both directions at the same time, if the host's memory is pinned.
 */
#ifndef STREAM_PIPELINE_H
#define STREAM_PIPELINE_H

#include "stream_plan.h"

#include <cuda_runtime.h>

enum stream_stage { STREAM_IN, STREAM_WORK, STREAM_OUT, STREAM_STAGES };

/* Of one buffer on the device. */
struct stream_events {
    cudaEvent_t begun[STREAM_STAGES]; /* only where stages are timed */
    cudaEvent_t ended[STREAM_STAGES];
};

struct stream_pipeline {
    cudaStream_t stream[STREAM_STAGES];
    stream_events buffer[STREAM_MOST_BUFFERS];
    cudaEvent_t begun;
};

/* Makes the streams and events. On failure what was made is there, for stream_pipeline_free.
 * *pipeline is all 0. */
cudaError_t stream_pipeline_make(stream_pipeline *pipeline);
void stream_pipeline_free(stream_pipeline *pipeline);

/* What is done to the chunks between the copies. */
struct stream_work {
    /* Queues it on `stream`; `data` is the chunk on the device. NULL: nothing is done. */
    cudaError_t (*queue)(void *context, uint64_t chunk, char *data, cudaStream_t stream);
    void *context;
};

struct stream_run {
    const stream_plan *plan;
    const char *in; /* pinned */
    char *out;      /* may be in */
    char *device;   /* the buffers */
    stream_work work;
    /* Where times of stages are wanted; else NULL. The host then waits now and then. */
    double *stage_ns; /* STREAM_STAGES of them, to which the stages' times are added */
    /* Does the work start behind what the stream `out` has? */
    bool behind_out;
};

/* Queues a run of at least one chunk; it has ended when the stream `out` has. With stage_ns it
 * waits for the end. On failure nothing is under way any more. */
cudaError_t stream_pipeline_run(const stream_pipeline *pipeline, const stream_run &run);

#endif
