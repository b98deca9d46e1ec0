/*
 * cyclic_run.cuh - one run: a launch on each device that has a part, by a thread for each
 */
#ifndef CYCLIC_RUN_CUH
#define CYCLIC_RUN_CUH

#include "cuda_crew.h"
#include "cuda_lines.cuh"
#include "cuda_parts.h"
#include "cuda_words.h"
#include "cyclic_launcher.cuh"

static constexpr const char *CYCLIC_PHASE = "kernel:cyclic";

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

/* Sets all tickets and words to 0, before any device can store into them. */
inline scan_status clear(cyclic_base *self)
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
        const scan_status status = cuda_mark(cuda, CYCLIC_PHASE);
        if (status != SCAN_OK)
            return status;
        launch_on<Op>(order, d);
        return cuda_check(cuda->host, order->error[d], CYCLIC_PHASE);
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
        status = cuda_check(self->cuda->host, order->error[d], CYCLIC_PHASE);
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

inline scan_status check_tile(const cyclic_base *self)
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
static scan_status cyclic_run(cuda_parts_instance *instance, const scan_buffer *in,
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

#endif
