/* gate.cpp - the gate of emulated devices: launches take place at once, so nothing waits behind it,
 * but whoever leaves it closed is told by the next one who closes it on its own */
#include "cuda_gate.h"

struct cuda_gate_words {
    unsigned opened;
};

cudaError_t cuda_gate_make(cuda_gate *gate)
{
    *gate = cuda_gate();
    gate->words = gate->on_device = new cuda_gate_words();
    return cudaSuccess;
}

void cuda_gate_free(cuda_gate *gate)
{
    delete gate->words;
    *gate = cuda_gate();
}

cudaError_t cuda_gate_close(cuda_gate *gate, cudaStream_t stream)
{
    if (stream->device != emulator::the_device().index)
        return cudaErrorInvalidValue;
    gate->turn += gate->closed ? 0 : 1;
    gate->closed = true;
    return cudaSuccess;
}

void cuda_gate_open(cuda_gate *gate)
{
    gate->words->opened = gate->turn;
    gate->closed = false;
}

bool cuda_gate_expired(const cuda_gate *gate)
{
    return gate->words->opened != gate->turn;
}
