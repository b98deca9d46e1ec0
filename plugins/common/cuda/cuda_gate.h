/*
 * cuda_gate.h - keeps a recorded run waiting on the device until the host has queued all of it
 *
 * A device reaches the event before a short kernel while the host is still launching that kernel,
 * so the time between two events holds the host's gaps. A gate is a kernel of one thread before the
 * first event. It ends when the host opens it, after the last event is queued; from then on the
 * device goes from launch to launch without the host.
 *
 * A gate that nobody opens ends by itself after 20 ms, because what runs behind it may wait for the
 * device: a library inside its call, a debugger, CUDA_LAUNCH_BLOCKING. It has then expired, and the
 * times of that run hold the host's gaps.
 */
#ifndef CUDA_GATE_H
#define CUDA_GATE_H

#include <cuda_runtime.h>

struct cuda_gate_words; /* in host memory that the device can access */

struct cuda_gate {
    cuda_gate_words *words;     /* NULL: there is no gate */
    cuda_gate_words *on_device; /* their address there */
    unsigned turn;              /* of the last gate that was closed */
    bool closed;                /* and has not been opened */
};

/* Allocates the words and loads the kernel. On failure *gate is empty. */
cudaError_t cuda_gate_make(cuda_gate *gate);
/* Waits for the device before it frees. Accepts an empty gate. */
void cuda_gate_free(cuda_gate *gate);

/* What is queued on `stream`, of any device, from here on waits for cuda_gate_open. Several streams
 * may wait for one opening. */
cudaError_t cuda_gate_close(cuda_gate *gate, cudaStream_t stream);
/* Does nothing if the gate is open or empty. */
void cuda_gate_open(cuda_gate *gate);
/* Did the last gate end by itself? To be asked when its stream has been waited for. */
bool cuda_gate_expired(const cuda_gate *gate);

#endif
