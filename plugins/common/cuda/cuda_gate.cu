/*
 * cuda_gate.cu - the kernel that waits for the host, and the words between the two
 *
 * Each gate has a number, its turn. The host opens all gates up to a turn by writing that turn, so
 * a gate of a run that failed half-way never waits for a later one. Nothing but the turn passes
 * through the words: volatile accesses, which are relaxed and of system scope, suffice.
 */
#include "cuda_gate.h"

#include <chrono>
#include <new>

struct cuda_gate_words {
    alignas(64) unsigned opened;  /* the last turn that the host opened */
    alignas(64) unsigned expired; /* the last turn that ended by itself */
};

static constexpr unsigned long long PATIENCE_NS = 20'000'000;

/* What the device needs to fetch the last launches that the host has queued. */
static constexpr std::chrono::microseconds FETCH_TIME(10);

static __device__ unsigned long long device_now_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __global__ void wait_for_host(volatile cuda_gate_words *words, unsigned turn)
{
    const unsigned long long start = device_now_ns();
    while (static_cast<int>(words->opened - turn) < 0) {
        if (device_now_ns() - start > PATIENCE_NS) {
            words->expired = turn;
            return;
        }
    }
}

cudaError_t cuda_gate_make(cuda_gate *gate)
{
    *gate = cuda_gate();
    /* Otherwise the first launch might load it, which can wait for the device. */
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, wait_for_host);
    if (error != cudaSuccess)
        return error;
    void *memory = nullptr;
    void *on_device = nullptr;
    error = cudaHostAlloc(&memory, sizeof(cuda_gate_words), cudaHostAllocMapped);
    if (error != cudaSuccess)
        return error;
    error = cudaHostGetDevicePointer(&on_device, memory, 0);
    if (error != cudaSuccess) {
        (void)cudaFreeHost(memory);
        return error;
    }
    gate->words = new (memory) cuda_gate_words();
    gate->on_device = static_cast<cuda_gate_words *>(on_device);
    return cudaSuccess;
}

void cuda_gate_free(cuda_gate *gate)
{
    if (gate->words == nullptr)
        return;
    cuda_gate_open(gate);
    (void)cudaDeviceSynchronize();
    (void)cudaFreeHost(gate->words);
    *gate = cuda_gate();
}

cudaError_t cuda_gate_close(cuda_gate *gate, cudaStream_t stream)
{
    volatile cuda_gate_words *words = gate->on_device;
    unsigned turn = gate->closed ? gate->turn : gate->turn + 1;
    void *arguments[] = {&words, &turn};
    const cudaError_t error = cudaLaunchKernel(reinterpret_cast<const void *>(wait_for_host),
                                               dim3(1), dim3(1), arguments, 0, stream);
    if (error != cudaSuccess)
        return error;
    gate->turn = turn;
    gate->closed = true;
    return cudaSuccess;
}

void cuda_gate_open(cuda_gate *gate)
{
    if (!gate->closed)
        return;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < FETCH_TIME) {
    }
    __atomic_store_n(&gate->words->opened, gate->turn, __ATOMIC_RELEASE);
    gate->closed = false;
}

bool cuda_gate_expired(const cuda_gate *gate)
{
    return gate->words != nullptr &&
           __atomic_load_n(&gate->words->expired, __ATOMIC_ACQUIRE) == gate->turn;
}
