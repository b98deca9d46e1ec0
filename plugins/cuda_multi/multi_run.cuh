/*
 * multi_run.cuh - one run: all devices reduce their slices, totals are exchanged, all devices scan
 *
 * The host queues the work of every device, part after part, and waits once, at the end.
 */
#ifndef MULTI_RUN_CUH
#define MULTI_RUN_CUH

#include "cuda_parts.h"
#include "multi_nccl.h"
#include "multi_part.cuh"

/* What does not depend on the operator. */
struct multi_base : cuda_parts_instance {
    void (*release)(multi_base *self);
};

template <typename Op> struct multi_instance : multi_base {
    using T = typename Op::value;
    Op op;
    bool inclusive;
    bool waits; /* for events */
    cuda_turn turn;
    multi_layout layout;
    multi_nccl *nccl; /* NULL: totals go through peer memory */
    multi_part<Op> part[SCAN_PARTS_MOST];
    cudaEvent_t reduced[SCAN_PARTS_MOST];

    multi_turn turn_of(uint32_t p) const
    {
        return {turn.launch, p, count, nccl != nullptr};
    }
};

/* Totals of this run will bear a number that no word in the parts' memory bears. */
template <typename Op> static scan_status begin_turn(multi_instance<Op> *self)
{
    if (!cuda_turn_advance(&self->turn, 0))
        return SCAN_OK;
    return cuda_parts_each(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
        self->part[p].first_done = 0;
        cudaError_t error =
            cudaMemsetAsync(self->memory_of[p], 0, self->layout.cleared, cuda->copy_stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(cuda->copy_stream);
        return cuda_check(cuda->host, error, "cudaMemsetAsync of the parts' totals");
    });
}

template <typename Op>
static scan_status reduce_part(multi_instance<Op> *self, uint32_t p, cuda_context *cuda,
                               scan_buffer in)
{
    using T = typename Op::value;
    multi_part<Op> *part = &self->part[p];
    if (!part->reduces)
        return SCAN_OK;
    const scan_status status = cuda_mark(cuda, "kernel:reduce");
    if (status != SCAN_OK)
        return status;
    cudaError_t error = part->reduce(self->op, static_cast<const T *>(scan_host_pointer(in)),
                                     self->layout, self->turn_of(p), cuda->stream);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "kernel:reduce");
    if (self->waits)
        error = cudaEventRecord(self->reduced[p], cuda->stream);
    return cuda_check(cuda->host, error, "cudaEventRecord");
}

template <typename Op> static scan_status gather(multi_instance<Op> *self)
{
    void *sent[SCAN_PARTS_MOST];
    void *gathered[SCAN_PARTS_MOST];
    for (uint32_t p = 0; p < self->count; p++) {
        sent[p] = self->part[p].memory + self->layout.sent;
        gathered[p] = self->part[p].memory + self->layout.gathered;
    }
    scan_status status =
        cuda_parts_each(self->parts, self->count, [](uint32_t, cuda_context *cuda) {
            return cuda_mark(cuda, "kernel:exchange");
        });
    if (status == SCAN_OK)
        status = multi_nccl_gather(self->nccl, sent, gathered, sizeof(typename Op::value));
    const scan_status back = cuda_parts_use(self->parts, 0);
    return status == SCAN_OK ? back : status;
}

/* The part's stream waits until all parts before it are reduced. */
template <typename Op>
static scan_status wait_for_totals(const multi_instance<Op> *self, uint32_t p, cuda_context *cuda)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t q = 0; self->waits && q < p && error == cudaSuccess; q++)
        error = cudaStreamWaitEvent(cuda->stream, self->reduced[q], 0);
    return cuda_check(cuda->host, error, "cudaStreamWaitEvent");
}

template <typename Op>
static scan_status scan_part(multi_instance<Op> *self, uint32_t p, cuda_context *cuda,
                             scan_buffer in, scan_buffer out)
{
    using T = typename Op::value;
    multi_part<Op> *part = &self->part[p];
    if (part->n == 0)
        return SCAN_OK;
    const cuda_arrays<T> arrays = {static_cast<const T *>(scan_host_pointer(in)),
                                   static_cast<T *>(scan_host_pointer(out)), part->n,
                                   self->inclusive};
    scan_status status = cuda_mark(cuda, "kernel:scan");
    if (status == SCAN_OK)
        status = wait_for_totals(self, p, cuda);
    if (status == SCAN_OK)
        status = cuda_check(cuda->host, part->advance(arrays, cuda->stream),
                            "cudaMemsetAsync of the status words");
    if (status != SCAN_OK)
        return status;
    return cuda_check(cuda->host,
                      part->scan(self->op, arrays, self->layout, self->turn_of(p), cuda->stream),
                      "kernel:scan");
}

/* Did a part look for words in vain? */
template <typename Op> static scan_status check_parts(const multi_instance<Op> *self)
{
    const scan_host *host = self->cuda->host;
    for (uint32_t p = 0; p < self->count; p++) {
        const cuda_words *words = &self->part[p].words;
        const unsigned tile = cuda_words_failed_tile(words);
        if (tile == MULTI_NO_CARRY)
            return host->fail(host, SCAN_ERROR,
                              "part %u looked %u times for totals of the parts before it and did "
                              "not find all",
                              p, words->patience);
        if (tile != CUDA_NO_TILE)
            return host->fail(host, SCAN_ERROR,
                              "part %u, tile %u looked %u times for words of tiles before it and "
                              "did not find all",
                              p, tile, words->patience);
    }
    return SCAN_OK;
}

/* All reductions are queued before the first scan: so whatever a scan waits for has been queued. */
template <typename Op>
static scan_status launch_all(multi_instance<Op> *self, const scan_buffer *in,
                              const scan_buffer *out)
{
    scan_status status =
        cuda_parts_each(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
            return reduce_part(self, p, cuda, in[p]);
        });
    if (status == SCAN_OK && self->nccl != nullptr)
        status = gather(self);
    if (status != SCAN_OK)
        return status;
    return cuda_parts_each(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
        return scan_part(self, p, cuda, in[p], out[p]);
    });
}

template <typename Op>
static scan_status multi_run(cuda_parts_instance *instance, const scan_buffer *in,
                             const scan_buffer *out)
{
    multi_instance<Op> *self = static_cast<multi_instance<Op> *>(instance);
    scan_status status = begin_turn(self);
    if (status == SCAN_OK) {
        cuda_parts_begin(self->parts, self->count);
        status = cuda_parts_finish(self->parts, self->count, launch_all(self, in, out));
    }
    if (status == SCAN_OK)
        status = check_parts(self);
    if (status == SCAN_OK)
        return SCAN_OK;
    self->turn = {}; /* what the words hold is not known */
    for (uint32_t p = 0; p < self->count; p++)
        cuda_words_forget(&self->part[p].words);
    return status;
}

#endif
