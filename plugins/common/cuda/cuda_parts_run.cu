/*
 * cuda_parts_run.cu - runs on several parts, their times, and the instances that make them
 */
#include "cuda_parts.h"

/* Parts that share a device take streams of different numbers, which have channels of their own as
 * far as the device has enough. */
void cuda_parts_begin(cuda_parts *parts, uint32_t count)
{
    const uint32_t turn = parts->of[0]->runs++ / CUDA_RUNS_ON_A_STREAM;
    for (uint32_t p = 0; p < count; p++) {
        cuda_context *cuda = parts->of[p];
        cuda_begin_on(cuda, cuda->streams[(turn + p / parts->devices) % CUDA_STREAMS]);
    }
}

/* The part whose work took longest; its first one if none was timed. */
static scan_status find_slowest(const cuda_parts *parts, uint32_t count, cuda_context **slowest_p)
{
    scan_status status = SCAN_OK;
    double most_ns = -1;
    *slowest_p = parts->of[0];
    for (uint32_t p = 0; p < count && status == SCAN_OK; p++) {
        double ns = 0;
        status = cuda_run_time(parts->of[p], &ns);
        if (status == SCAN_OK && ns > most_ns) {
            most_ns = ns;
            *slowest_p = parts->of[p];
        }
    }
    return status;
}

/* Waits for all parts, whatever becomes of one. */
static scan_status wait_for_all(const cuda_parts *parts, uint32_t count)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t p = 0; p < count; p++) {
        const cudaError_t of_part = cudaStreamSynchronize(parts->of[p]->stream);
        error = error == cudaSuccess ? of_part : error;
    }
    return cuda_check(parts->of[0]->host, error, "cudaStreamSynchronize");
}

scan_status cuda_parts_finish(cuda_parts *parts, uint32_t count, scan_status so_far)
{
    scan_status status = so_far;
    if (status == SCAN_OK)
        status = cuda_parts_each(parts, count,
                                 [](uint32_t, cuda_context *cuda) { return cuda_run_end(cuda); });
    cuda_open_gate(parts->of[0]);
    const scan_status waited = wait_for_all(parts, count);
    status = status == SCAN_OK ? waited : status;
    if (status != SCAN_OK)
        return status;
    for (uint32_t p = 0; p < count; p++)
        if (parts->of[p]->gated) { /* one gate: once is enough */
            cuda_watch_gate(parts->of[p]);
            break;
        }
    cuda_context *slowest = nullptr;
    if (parts->of[0]->recording != 0 && (status = find_slowest(parts, count, &slowest)) == SCAN_OK)
        status = cuda_run_record(slowest);
    return status;
}

/* ---- instances --------------------------------------------------------------- */

/* What each part's launches ask about the instance. */
static void enter(cuda_parts_instance *self, cuda_instance *instance)
{
    for (uint32_t p = 0; p < self->count; p++)
        self->parts->of[p]->instance = instance;
}

scan_status cuda_parts_run(void *opaque, const scan_buffer *in, const scan_buffer *out)
{
    cuda_parts_instance *self =
        static_cast<cuda_parts_instance *>(static_cast<cuda_instance *>(opaque));
    enter(self, self);
    const scan_status status = self->run_parts(self, in, out);
    cuda_open_gate(self->cuda);
    enter(self, nullptr);
    self->has_run = self->has_run || status == SCAN_OK;
    return status;
}

scan_status cuda_parts_run_one(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    cuda_parts_instance *self = static_cast<cuda_parts_instance *>(instance);
    return self->run_parts(self, &in, &out);
}

scan_status cuda_parts_allocate_scratch(cuda_parts_instance *self, uint64_t bytes)
{
    return cuda_parts_each(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
        const scan_status status = cuda_allocate_scratch(cuda, bytes, &self->memory_of[p]);
        if (status != SCAN_OK)
            return status;
        const cudaError_t error = cudaMemsetAsync(self->memory_of[p], 0, bytes, cuda->copy_stream);
        return cuda_check(cuda->host,
                          error == cudaSuccess ? cudaStreamSynchronize(cuda->copy_stream) : error,
                          "cudaMemsetAsync");
    });
}

void cuda_parts_destroy(void *opaque)
{
    const cuda_parts_instance *self =
        static_cast<cuda_parts_instance *>(static_cast<cuda_instance *>(opaque));
    for (uint32_t p = 0; p < self->count; p++)
        cuda_release_scratch(self->memory_of[p]);
    cuda_instance_destroy(opaque);
}
