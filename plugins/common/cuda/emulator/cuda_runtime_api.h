/*
 * cuda_runtime_api.h - the host's side of CUDA for the emulator: a device whose launches run at
 * once
 *
 * Code that asks about the device, loads kernels and launches them runs as it is. Only what ours
 * uses is here. A test sets what the device is (emulator::the_device) and sees there what was done
 * with it.
 */
#ifndef CUDA_RUNTIME_API_H
#define CUDA_RUNTIME_API_H

#include "emulator.h"
#ifdef EMULATED_DEVICES /* several devices, on which everything takes place at once */
#include <functional>
#include <vector>
using cudaStream_t = struct CUstream_st *; /* NOLINT: CUDA's name */
namespace emulator
{
/* Now; on a stream that is captured, when the graph is launched. */
void queue(cudaStream_t stream, const std::function<void()> &act);
} // namespace emulator
#else
#include "streams.h"
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace emulator
{

struct device {
    int processors = 2;
    int version = 90; /* compute capability, and that of all code */
    int most_cluster = 16;
    int shared = static_cast<int>(SHARED_BYTES); /* that it says it has; there is no more */
    int index = 0;                               /* of the current device */
    bool capturing = false;                      /* is a stream being captured? */
    bool full = false;                           /* is there no memory left? */
    unsigned resident = ~0u;
    uint64_t seed = 1; /* of the next launch */
    unsigned launches = 0;
    unsigned memsets = 0;
    unsigned allocations = 0; /* of host memory, less those that were freed */
    uint64_t stream_seed = 1; /* of the order in which streams advance */
    std::string wrong;        /* with the first launch that went wrong */
};

device &the_device();

} // namespace emulator

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): these names are CUDA's.
 */
enum cudaError_t {
    cudaSuccess,
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorInvalidClusterSize,
    cudaErrorPeerAccessUnsupported,
    cudaErrorPeerAccessAlreadyEnabled,
    cudaErrorSetOnActiveProcess,
    cudaErrorStreamCaptureUnsupported,
    cudaErrorStreamCaptureInvalidated
};

struct dim3 {
    dim3(unsigned given = 1) : x(given) /* NOLINT(google-explicit-constructor): as CUDA's */
    {
    }
    unsigned x, y = 1, z = 1;
};

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeCooperative
};
union cudaLaunchAttributeValue {
    struct {
        unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int cooperative;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
};

enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrL2CacheSize,
    cudaDevAttrClockRate
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int maxDynamicSharedSizeBytes;
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributeNonPortableClusterSizeAllowed
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
constexpr unsigned cudaHostAllocMapped = 2;

inline const char *cudaGetErrorString(cudaError_t)
{
    return "an error of the emulated device";
}
inline const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
                                              : "cudaErrorInvalidValue";
}
inline cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

inline cudaError_t cudaGetDevice(int *device)
{
    *device = emulator::the_device().index;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrMultiProcessorCount ? emulator::the_device().processors
             : attribute == cudaDevAttrL2CacheSize       ? 0
                                                         : emulator::the_device().shared;
    return cudaSuccess;
}
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *)
{
    const int version = emulator::the_device().version;
    *attributes = {0, 1024, 32, version, version, emulator::the_device().shared};
    return cudaSuccess;
}
inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
    return cudaSuccess;
}
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int,
                                                                 size_t)
{
    *blocks = 1;
    return cudaSuccess;
}
inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *,
                                                  const cudaLaunchConfig_t *config)
{
    const auto most = static_cast<unsigned>(emulator::the_device().most_cluster);
    *clusters = config->attrs[0].val.clusterDim.x <= most ? 1 : 0;
    return cudaSuccess;
}

inline cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned)
{
    *memory = emulator::the_device().full ? nullptr : std::malloc(bytes);
    emulator::the_device().allocations += *memory != nullptr ? 1 : 0;
    return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
inline cudaError_t cudaHostGetDevicePointer(void **on_device, void *memory, unsigned)
{
    *on_device = memory;
    return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void *memory)
{
    emulator::the_device().allocations -= memory != nullptr ? 1 : 0;
    std::free(memory);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    emulator::the_device().memsets++;
    emulator::queue(stream, [=] { std::memset(memory, value, bytes); });
    return cudaSuccess;
}

#ifdef EMULATED_DEVICES
#include "devices.h"
#else

/* ---- streams: streams.h says what becomes of what is queued ---------------------------------- */

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
constexpr unsigned cudaStreamNonBlocking = 1;

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    emulator::all_streams().push_back(*stream = new CUstream_st());
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    std::vector<CUstream_st *> &all = emulator::all_streams();
    all.erase(std::remove(all.begin(), all.end(), stream), all.end());
    delete stream;
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new CUevent_st();
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->queued++;
    emulator::queue(stream, [event] { event->passed++; });
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    stream->things.push_back({nullptr, event, event->queued});
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                   cudaStream_t stream)
{
    const size_t half = bytes / 2;
    char *const to_bytes = static_cast<char *>(to);
    const char *const from_bytes = static_cast<const char *>(from);
    emulator::queue(stream, [=] { std::memcpy(to_bytes, from_bytes, half); });
    emulator::queue(stream, [=] { std::memcpy(to_bytes + half, from_bytes + half, bytes - half); });
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    while (stream != nullptr && !stream->things.empty())
        if (!emulator::advance_streams(emulator::the_device().stream_seed))
            return cudaErrorInvalidValue; /* it waits for ever */
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    while (event->passed < event->queued)
        if (!emulator::advance_streams(emulator::the_device().stream_seed))
            return cudaErrorInvalidValue;
    return cudaSuccess;
}
/* There is no clock: every time is 1 ms. */
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    const bool both = from->passed > 0 && to->passed > 0 && from->passed == from->queued &&
                      to->passed == to->queued;
    *ms = 1;
    return both ? cudaSuccess : cudaErrorInvalidValue;
}

#endif

/* ---- launches ---------------------------------------------------------------------------- */

inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status)
{
    *status = emulator::the_device().capturing ? cudaStreamCaptureStatusActive
                                               : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

template <typename... Parameters>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Parameters... arguments)
{
    emulator::device &device = emulator::the_device();
    emulator::grid shape = {.blocks = config->gridDim.x, .threads = config->blockDim.x};
    bool together = false;
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            shape.cluster = config->attrs[i].val.clusterDim.x;
        else if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            together = true;
    if (config->dynamicSmemBytes > emulator::SHARED_BYTES || shape.blocks == 0)
        return cudaErrorInvalidValue;
#ifdef EMULATED_DEVICES
    if (config->stream != nullptr && config->stream->device != device.index)
        return cudaErrorInvalidValue;
#endif
    const unsigned least = together ? shape.blocks : shape.cluster;
    shape.resident = device.resident > least ? device.resident : least;
    shape.seed = device.seed++;
    shape.most_steps = UINT64_C(200'000'000);
    device.launches++;
#ifdef EMULATED_DEVICES
    if (emulator::the_devices().meet) {
        emulator::the_devices().queued.push_back({shape, [=] { kernel(arguments...); }});
        return cudaSuccess;
    }
#endif
    emulator::queue(config->stream, [=] {
        emulator::device &on = emulator::the_device();
        const std::string wrong = emulator::run(shape, [&] { kernel(arguments...); });
        if (on.wrong.empty())
            on.wrong = wrong;
    });
    return cudaSuccess;
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

#endif
