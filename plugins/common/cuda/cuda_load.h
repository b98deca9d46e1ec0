/*
 * cuda_load.h - loads a kernel and asks whether and how often it fits on the device
 *
 * For plugins, which have a scan_host to tell reasons to (cuda_prepare), and for the library of
 * cuda_scan, which has none.
 */
#ifndef CUDA_LOAD_H
#define CUDA_LOAD_H

#include "scan_plugin.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

/* What a device can hold. */
struct cuda_limits {
    unsigned processors;          /* multiprocessors */
    uint64_t max_shared;          /* bytes of shared memory that a block can ask for */
    uint64_t shared_of_processor; /* bytes that its blocks have together; each takes 1 KiB more */
    uint64_t l2_cache = 0;        /* bytes */
};

struct cuda_loaded {
    unsigned resident; /* blocks that the device holds at once */
    int code_version;  /* of the kernel's code, as 90: PTX for 8.0 is 80 wherever it runs */
};

/* Why something failed. */
struct cuda_reason {
    char text[256];
};

SCAN_PRINTF(3, 4)
inline scan_status cuda_fail(cuda_reason *reason, scan_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    return status;
}

/* SCAN_OK, or SCAN_NO_MEMORY or SCAN_ERROR with "CALL: words (cudaErrorName)". */
inline scan_status cuda_fail_if(cuda_reason *reason, cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return SCAN_OK;
    (void)cudaGetLastError(); /* otherwise the next call would report this error */
    return cuda_fail(reason, error == cudaErrorMemoryAllocation ? SCAN_NO_MEMORY : SCAN_ERROR,
                     "%s: %s (%s)", call, cudaGetErrorString(error), cudaGetErrorName(error));
}

/* The limits of a device. */
inline scan_status cuda_ask_limits(int device, cuda_limits *limits_p, cuda_reason *reason)
{
    int processors = 0, of_block = 0, of_processor = 0, l2_cache = 0;
    cudaError_t error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&of_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&of_processor, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                                       device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&l2_cache, cudaDevAttrL2CacheSize, device);
    if (error != cudaSuccess)
        return cuda_fail_if(reason, error, "cudaDeviceGetAttribute");
    *limits_p = {static_cast<unsigned>(processors), static_cast<uint64_t>(of_block),
                 static_cast<uint64_t>(of_processor), static_cast<uint64_t>(l2_cache)};
    return SCAN_OK;
}

/* Lets the kernel have as much dynamic shared memory as the device gives. The limit belongs to the
 * kernel, not to whoever launches it: raised to the maximum, it is never lowered for another. */
inline cudaError_t cuda_raise_limit(const void *kernel, const cudaFuncAttributes &attributes,
                                    uint64_t shared, uint64_t most)
{
    constexpr uint64_t by_default = 48 * 1024; /* what a block gets without asking */
    if (shared + attributes.sharedSizeBytes <= by_default ||
        static_cast<uint64_t>(attributes.maxDynamicSharedSizeBytes) >= most)
        return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(most));
}

/*
 * Loads a kernel and asks whether it runs with `block` threads and `shared` bytes of dynamic shared
 * memory: SCAN_OK and *loaded_p, SCAN_UNSUPPORTED and why not, or SCAN_ERROR.
 */
inline scan_status cuda_load(const cuda_limits &device, const void *kernel, unsigned block,
                             uint64_t shared, cuda_loaded *loaded_p, cuda_reason *reason)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess)
        return cuda_fail_if(reason, error, "cudaFuncGetAttributes");
    if (block > static_cast<unsigned>(attributes.maxThreadsPerBlock))
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "block %u: with %d registers a thread this kernel takes at most %d", block,
                         attributes.numRegs, attributes.maxThreadsPerBlock);
    const uint64_t most = device.max_shared - attributes.sharedSizeBytes;
    if (shared > most)
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "a block of %u needs %llu bytes of shared memory, the device has %llu",
                         block, static_cast<unsigned long long>(shared),
                         static_cast<unsigned long long>(most));
    if ((error = cuda_raise_limit(kernel, attributes, shared, most)) != cudaSuccess)
        return cuda_fail_if(reason, error, "cudaFuncSetAttribute");
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block),
                                                          shared);
    if (error != cudaSuccess)
        return cuda_fail_if(reason, error, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (blocks < 1)
        return cuda_fail(reason, SCAN_UNSUPPORTED, "no block of %u threads fits on this device",
                         block);
    loaded_p->resident = static_cast<unsigned>(blocks) * device.processors;
    loaded_p->code_version = attributes.ptxVersion < attributes.binaryVersion
                                 ? attributes.ptxVersion
                                 : attributes.binaryVersion;
    return SCAN_OK;
}

#endif
