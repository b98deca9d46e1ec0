/*
 * whole_device.h - the rest of CUDA's runtime that a whole plugin calls, for the emulated device
 *
 * Besides what kernels and launches need, which the emulator has: a device to probe, memory on it
 * that is counted and can run out, neither gate nor graphs.
 */
#ifndef WHOLE_DEVICE_H
#define WHOLE_DEVICE_H

#include "cuda_graph.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <map>

namespace emulator
{

struct device_memory {
    uint64_t most = UINT64_C(1) << 30;
    uint64_t used = 0;
    uint64_t peak = 0;
    std::map<void *, uint64_t> blocks;
};

inline device_memory &the_memory()
{
    static device_memory memory;
    return memory;
}

} // namespace emulator

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): these names are CUDA's.
 */
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    int maxThreadsPerBlock;
};
constexpr unsigned cudaDeviceScheduleSpin = 1, cudaInitDeviceFlagsAreValid = 1;
constexpr unsigned cudaHostRegisterDefault = 0, cudaHostAllocDefault = 0;

inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    *properties = {"emulated", emulator::the_memory().most, 1024};
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char *pci, int size, int)
{
    (void)snprintf(pci, static_cast<size_t>(size), "0000:00:00.0");
    return cudaSuccess;
}
inline cudaError_t cudaInitDevice(int, unsigned, unsigned)
{
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}
inline cudaError_t cudaPeekAtLastError()
{
    return cudaSuccess;
}
inline cudaError_t cudaHostRegister(void *, size_t, unsigned)
{
    return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *)
{
    return cudaSuccess;
}

inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    emulator::device_memory &all = emulator::the_memory();
    if (all.used + bytes > all.most)
        return cudaErrorMemoryAllocation;
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(*memory, 0xa5, bytes);
    all.blocks[*memory] = bytes;
    all.used += bytes;
    all.peak = std::max(all.peak, all.used);
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *memory)
{
    emulator::device_memory &all = emulator::the_memory();
    all.used -= memory != nullptr ? all.blocks.at(memory) : 0;
    all.blocks.erase(memory);
    std::free(memory);
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *total = emulator::the_memory().most;
    *available = *total - emulator::the_memory().used;
    return cudaSuccess;
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

cudaError_t cuda_gate_make(cuda_gate *gate)
{
    *gate = {};
    return cudaErrorInvalidValue;
}
void cuda_gate_free(cuda_gate *)
{
}
cudaError_t cuda_gate_close(cuda_gate *, cudaStream_t)
{
    return cudaSuccess;
}
void cuda_gate_open(cuda_gate *)
{
}
bool cuda_gate_expired(const cuda_gate *)
{
    return false;
}

scan_status cuda_graph_run(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    return instance->run(instance, in, out);
}
scan_status cuda_graph_refuse(const cuda_context *)
{
    return SCAN_ERROR;
}

#endif
