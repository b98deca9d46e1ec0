/*
 * devices.h - several emulated devices for the host's side of plugins: which one is current,
 * streams, events, memory, and what may access what
 *
 * Included by cuda_runtime_api.h in place of streams.h where EMULATED_DEVICES is defined. Copies
 * and memsets take place at once, as launches do unless they are to meet: then they run when a
 * stream is waited for, those of all devices together. One stream at a time can be captured into a
 * graph, whose work takes place when it is launched. Misuse that the real runtime notices is an
 * error here: a launch or an event on a stream of a device that is not current. All that is made is
 * counted, so that a test sees what is left behind.
 */
#ifndef EMULATED_DEVICES_H
#define EMULATED_DEVICES_H

#include <functional>
#include <map>
#include <set>
#include <vector>

struct CUgraph_st {
    std::vector<std::function<void()>> nodes;
    unsigned launches; /* among them */
};
struct CUstream_st {
    int device;
    CUgraph_st *captured; /* so far; else NULL */
    bool broken;          /* something was called that ends the capture */
};
struct CUevent_st {
    int device;
    unsigned recorded; /* launches before it, of all devices; times are counted in them */
};

namespace emulator
{

struct queued_launch {
    grid shape;
    std::function<void()> kernel;
};

struct devices {
    int count = 1;
    bool meet = false; /* do launches wait until a stream is waited for? */
    std::vector<queued_launch> queued;
    unsigned made = 0;   /* streams, events and graphs, less those that were destroyed */
    unsigned graphs = 0; /* that were launched */
    CUstream_st *capturing = nullptr;
    bool no_graphs = false;              /* is there no memory for them? */
    std::map<const char *, size_t> room; /* allocations, by address */
    std::map<const char *, int> lies_on;
    unsigned refuse_after = ~0u; /* allocations from now on until one fails */
    int lonely = -1;             /* a device without peer access */
    std::set<int> initialised;
    std::map<std::pair<int, int>, bool> connected;
};

devices &the_devices();

/* Runs the queued launches, one on each device, at the same time; all have blocks of one size. */
void run_queued();

} // namespace emulator

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): these names are CUDA's.
 */
using cudaEvent_t = CUevent_st *;
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    int maxThreadsPerBlock;
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};
constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;
constexpr unsigned cudaDeviceScheduleSpin = 1, cudaInitDeviceFlagsAreValid = 1;
constexpr unsigned cudaHostRegisterDefault = 0;

inline cudaError_t cudaPeekAtLastError()
{
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = emulator::the_devices().count;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= emulator::the_devices().count)
        return cudaErrorInvalidValue;
    emulator::the_device().index = device;
    return cudaSuccess;
}
/* As a runtime that refuses flags for a device that is in use. */
inline cudaError_t cudaInitDevice(int device, unsigned, unsigned)
{
    return emulator::the_devices().initialised.insert(device).second ? cudaSuccess
                                                                     : cudaErrorSetOnActiveProcess;
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
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *found, int)
{
    *found = {"an emulated device", size_t(1) << 30, 1024};
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char *address, int size, int)
{
    if (size > 0)
        *address = '\0';
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *available = *total = size_t(1) << 30;
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

inline cudaError_t cudaDeviceCanAccessPeer(int *can, int from, int to)
{
    const int lonely = emulator::the_devices().lonely;
    *can = from != to && from != lonely && to != lonely ? 1 : 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int to, unsigned)
{
    bool &connected =
        emulator::the_devices().connected[std::make_pair(emulator::the_device().index, to)];
    const bool before = connected;
    connected = true;
    return before ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess;
}

inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    emulator::devices &all = emulator::the_devices();
    if (all.capturing != nullptr) {
        all.capturing->broken = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    if (all.refuse_after == 0)
        return cudaErrorMemoryAllocation;
    all.refuse_after--;
    *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    std::memset(*memory, 0xa5, bytes);
    const char *const address = static_cast<const char *>(*memory);
    all.room[address] = bytes;
    all.lies_on[address] = emulator::the_device().index;
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *memory)
{
    if (memory != nullptr &&
        emulator::the_devices().room.erase(static_cast<const char *>(memory)) == 0)
        return cudaErrorInvalidValue;
    std::free(memory);
    return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *found, const void *pointer)
{
    const emulator::devices &all = emulator::the_devices();
    const char *const at = static_cast<const char *>(pointer);
    auto room = all.room.upper_bound(at);
    *found = {cudaMemoryTypeUnregistered, -1};
    if (room == all.room.begin())
        return cudaSuccess;
    --room;
    if (at < room->first + room->second)
        *found = {cudaMemoryTypeDevice, all.lies_on.at(room->first)};
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    std::memmove(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                   cudaStream_t stream)
{
    emulator::queue(stream, [=] { std::memmove(to, from, bytes); });
    return cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new CUstream_st{emulator::the_device().index, nullptr, false};
    emulator::the_devices().made++;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    emulator::the_devices().made--;
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream != nullptr && stream->captured != nullptr) {
        stream->broken = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    emulator::run_queued();
    return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new CUevent_st{emulator::the_device().index, 0};
    emulator::the_devices().made++;
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    emulator::the_devices().made--;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (event->device != stream->device)
        return cudaErrorInvalidValue;
    event->recorded = emulator::the_device().launches;
    return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    *ms = static_cast<float>(to->recorded - from->recorded);
    return from->device == to->device ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}

/* ---- graphs ---- */

using cudaGraph_t = CUgraph_st *;
using cudaGraphExec_t = struct CUgraphExec_st *;
using cudaGraphNode_t = struct CUgraphNode_st *;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };

struct CUgraphExec_st {
    CUgraph_st graph;
};

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    stream->captured = new CUgraph_st{{}, emulator::the_device().launches};
    stream->broken = false;
    emulator::the_devices().capturing = stream;
    emulator::the_devices().made++;
    emulator::the_device().capturing = true;
    return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    emulator::the_devices().made--;
    return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    CUgraph_st *captured = stream->captured;
    captured->launches = emulator::the_device().launches - captured->launches;
    stream->captured = nullptr;
    emulator::the_devices().capturing = nullptr;
    emulator::the_device().capturing = false;
    *graph = stream->broken ? nullptr : captured;
    if (stream->broken)
        (void)cudaGraphDestroy(captured);
    return stream->broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *, size_t *count)
{
    *count = graph->nodes.size();
    return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        unsigned long long)
{
    if (emulator::the_devices().no_graphs)
        return cudaErrorMemoryAllocation;
    *exec = new CUgraphExec_st{*graph};
    emulator::the_devices().made++;
    return cudaSuccess;
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t)
{
    for (const std::function<void()> &node : exec->graph.nodes)
        node();
    emulator::the_device().launches += exec->graph.launches;
    emulator::the_devices().graphs++;
    return cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    emulator::the_devices().made--;
    return cudaSuccess;
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

#endif
