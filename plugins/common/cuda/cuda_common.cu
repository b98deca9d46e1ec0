/*
 * cuda_common.cu - devices, memory, launches and times for the CUDA plugins
 *
 * Memory is plain device memory, never managed: what a scan costs must not depend
 * on page migration. The runtime is linked statically, so a plugin loads on a
 * machine without a driver and says so through probe.
 */
#include "cuda_common.h"

#include <cctype>
#include <cstdio>

struct cuda_buffer {
    cuda_buffer *next;
    scan_buffer address;
    uint64_t views; /* views that begin where the buffer begins: same address, but not the buffer */
};

scan_status cuda_check(const scan_host *host, cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return SCAN_OK;
    (void)cudaGetLastError(); /* otherwise the next call would report this error */
    return host->fail(host, error == cudaErrorMemoryAllocation ? SCAN_NO_MEMORY : SCAN_ERROR,
                      "%s: %s (%s)", call, cudaGetErrorString(error), cudaGetErrorName(error));
}

/* ---- devices ------------------------------------------------------------- */

static scan_status count_devices(const scan_host *host, uint32_t index)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        int driver = 0;
        const bool none = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0;
        return host->fail(host, SCAN_UNAVAILABLE, "cudaGetDeviceCount: %s (%s)%s",
                          cudaGetErrorString(error), cudaGetErrorName(error),
                          none ? "; no NVIDIA driver is loaded" : "");
    }
    if (index >= static_cast<uint32_t>(count))
        return host->fail(host, SCAN_UNAVAILABLE, "no CUDA device %u: there are %d", index, count);
    return SCAN_OK;
}

static unsigned device_attribute(cudaDeviceAttr attribute, int device)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess || value < 0) {
        (void)cudaGetLastError();
        return 0;
    }
    return static_cast<unsigned>(value);
}

/* "0000:3b:00.0", as the system writes it; "" if the driver does not say. */
static void find_address(int device, char *pci, int size)
{
    if (cudaDeviceGetPCIBusId(pci, size, device) != cudaSuccess) {
        (void)cudaGetLastError();
        pci[0] = '\0';
    }
    for (; *pci != '\0'; pci++)
        *pci = static_cast<char>(tolower(static_cast<unsigned char>(*pci)));
}

scan_status cuda_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                       scan_device *device)
{
    (void)plugin;
    scan_status status = count_devices(host, index);
    if (status != SCAN_OK)
        return status;
    cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, static_cast<int>(index));
    if (error != cudaSuccess)
        return cuda_check(host, error, "cudaGetDeviceProperties");
    int driver = 0;
    int runtime = 0;
    if ((error = cudaDriverGetVersion(&driver)) != cudaSuccess)
        return cuda_check(host, error, "cudaDriverGetVersion");
    if ((error = cudaRuntimeGetVersion(&runtime)) != cudaSuccess)
        return cuda_check(host, error, "cudaRuntimeGetVersion");
    snprintf(device->name, sizeof device->name, "%.127s", properties.name);
    snprintf(device->driver, sizeof device->driver, "CUDA driver %d.%d, runtime %d.%d",
             driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    find_address(static_cast<int>(index), device->pci, sizeof device->pci);
    device->memory_bytes = properties.totalGlobalMem;
    device->max_block = static_cast<uint32_t>(properties.maxThreadsPerBlock);
    device->clock_mhz = device_attribute(cudaDevAttrClockRate, static_cast<int>(index)) / 1000;
    return SCAN_OK;
}

/* ---- the host's staging memory ---------------------------------------------- */

/* Copies from and to pinned memory are made by the device itself: several times as fast as others,
 * which a thread of the driver carries piece by piece. Pinning takes milliseconds, so that it waits
 * for the first copy that is worth it. */
enum { WORTH_PINNING = 1 << 20 };

static bool is_staging(const scan_staging *staging, const void *memory)
{
    const uintptr_t at = reinterpret_cast<uintptr_t>(memory);
    const uintptr_t first = reinterpret_cast<uintptr_t>(staging->memory);
    return at >= first && at - first < staging->bytes;
}

static void pin_staging(cuda_context *cuda, const void *memory, uint64_t bytes)
{
    const scan_staging *staging = cuda->staging;
    if (staging == nullptr || *staging->pinned_p != 0 || bytes < WORTH_PINNING ||
        !is_staging(staging, memory))
        return;
    const cudaError_t error =
        cudaHostRegister(staging->memory, staging->bytes, cudaHostRegisterDefault);
    if (error == cudaSuccess) {
        *staging->pinned_p = 1;
        return;
    }
    (void)cudaGetLastError();
    cuda->staging = nullptr; /* copies are slower then, not wrong */
    cuda->host->message(cuda->host, "untimed copies use memory that is not pinned: %s (%s)",
                        cudaGetErrorString(error), cudaGetErrorName(error));
}

static void unpin_staging(cuda_context *cuda)
{
    if (cuda->staging == nullptr || *cuda->staging->pinned_p == 0)
        return;
    *cuda->staging->pinned_p = 0;
    (void)cudaHostUnregister(cuda->staging->memory);
}

/* ---- the context ---------------------------------------------------------- */

static void close_context(void *context)
{
    cuda_context *cuda = static_cast<cuda_context *>(context);
    unpin_staging(cuda);
    cuda_gate_free(&cuda->gate);
    while (cuda->events > 0)
        (void)cudaEventDestroy(cuda->event[--cuda->events]);
    for (cudaStream_t stream : cuda->streams)
        if (stream != nullptr)
            (void)cudaStreamDestroy(stream);
    cuda->host->release(cuda->host, cuda);
}

static scan_status open_device(cuda_context *cuda)
{
    /* A waiting thread that spins sees the end of a short scan microseconds earlier
     * than one the system has to wake. */
    cudaError_t error =
        cudaInitDevice(cuda->device, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid);
    if (error ==
        cudaErrorSetOnActiveProcess) { /* another part has initialised it, with these flags */
        (void)cudaGetLastError();
        error = cudaSuccess;
    }
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaInitDevice");
    if ((error = cudaSetDevice(cuda->device)) != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaSetDevice");
    for (cudaStream_t &stream : cuda->streams)
        if ((error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) != cudaSuccess)
            return cuda_check(cuda->host, error, "cudaStreamCreateWithFlags");
    cuda->copy_stream = cuda->stream = cuda->streams[0];
    while (cuda->events <= CUDA_MAX_LAUNCHES) {
        if ((error = cudaEventCreate(&cuda->event[cuda->events])) != cudaSuccess)
            return cuda_check(cuda->host, error, "cudaEventCreate");
        cuda->events++;
    }
    if ((error = cuda_gate_make(&cuda->gate)) != cudaSuccess) {
        (void)cudaGetLastError();
        cuda->host->message(cuda->host, "no gate on the device: %s (%s)", cudaGetErrorString(error),
                            cudaGetErrorName(error));
    }
    cuda_reason reason;
    const scan_status status = cuda_ask_limits(cuda->device, &cuda->limits, &reason);
    return status == SCAN_OK ? SCAN_OK : cuda->host->fail(cuda->host, status, "%s", reason.text);
}

static scan_status open_context(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                                void **context_p)
{
    (void)plugin;
    scan_status status = count_devices(host, index);
    if (status != SCAN_OK)
        return host->fail(host, SCAN_ERROR, "CUDA device %u is not there any more", index);
    void *memory = host->allocate(host, sizeof(cuda_context), alignof(cuda_context));
    if (memory == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no %zu bytes of host memory for a CUDA context",
                          sizeof(cuda_context));
    cuda_context *cuda = static_cast<cuda_context *>(memory);
    *cuda = cuda_context();
    cuda->host = host;
    cuda->device = static_cast<int>(index);
    if (host->get_extension != nullptr)
        cuda->staging = static_cast<const scan_staging *>(host->get_extension(host, SCAN_STAGING));
    if ((status = open_device(cuda)) != SCAN_OK) {
        close_context(cuda);
        return status;
    }
    *context_p = cuda;
    return SCAN_OK;
}

/* ---- memory ---------------------------------------------------------------- */

static void *device_pointer(scan_buffer buffer, uint64_t offset)
{
    return reinterpret_cast<void *>(static_cast<uintptr_t>(buffer + offset));
}

scan_status cuda_allocate_scratch(cuda_context *cuda, uint64_t bytes, void **memory_p)
{
    void *memory = nullptr;
    cuda_open_gate(cuda); /* an allocation inside run may wait for the device */
    cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaSuccess) {
        *memory_p = memory;
        return SCAN_OK;
    }
    if (error != cudaErrorMemoryAllocation)
        return cuda_check(cuda->host, error, "cudaMalloc");
    (void)cudaGetLastError();
    size_t available = 0;
    size_t total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        (void)cudaGetLastError();
    return cuda->host->fail(cuda->host, SCAN_NO_MEMORY,
                            "cudaMalloc of %llu bytes: %s (%s); %zu of %zu bytes are free",
                            static_cast<unsigned long long>(bytes), cudaGetErrorString(error),
                            cudaGetErrorName(error), available, total);
}

void cuda_release_scratch(void *memory)
{
    (void)cudaFree(memory);
}

static scan_status allocate_buffer(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    cuda_context *cuda = static_cast<cuda_context *>(context);
    const scan_host *host = cuda->host;
    void *record = host->allocate(host, sizeof(cuda_buffer), alignof(cuda_buffer));
    if (record == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no host memory to note a buffer in");
    void *memory = nullptr;
    scan_status status = cuda_allocate_scratch(cuda, bytes, &memory);
    if (status != SCAN_OK) {
        host->release(host, record);
        return status;
    }
    cuda_buffer *buffer = static_cast<cuda_buffer *>(record);
    buffer->next = cuda->buffers;
    buffer->address = reinterpret_cast<uintptr_t>(memory);
    buffer->views = 0;
    cuda->buffers = buffer;
    *buffer_p = buffer->address;
    return SCAN_OK;
}

static void release_buffer(void *context, scan_buffer address)
{
    cuda_context *cuda = static_cast<cuda_context *>(context);
    cuda_buffer **link = &cuda->buffers;
    while (*link != nullptr && (*link)->address != address)
        link = &(*link)->next;
    cuda_buffer *buffer = *link;
    if (buffer == nullptr) /* a view from further inside */
        return;
    if (buffer->views > 0) {
        buffer->views--;
        return;
    }
    *link = buffer->next;
    (void)cudaFree(device_pointer(address, 0));
    cuda->host->release(cuda->host, buffer);
}

static scan_status view_buffer(void *context, scan_buffer address, uint64_t offset, uint64_t bytes,
                               scan_buffer *view_p)
{
    (void)bytes;
    cuda_context *cuda = static_cast<cuda_context *>(context);
    for (cuda_buffer *buffer = cuda->buffers; buffer != nullptr; buffer = buffer->next)
        if (buffer->address == address + offset)
            buffer->views++;
    *view_p = address + offset;
    return SCAN_OK;
}

static scan_status wait(const cuda_context *cuda, cudaError_t queued, const char *call)
{
    cudaError_t error = queued == cudaSuccess ? cudaStreamSynchronize(cuda->copy_stream) : queued;
    return error == cudaSuccess ? SCAN_OK : cuda_check(cuda->host, error, call);
}

static scan_status copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    cuda_context *cuda = static_cast<cuda_context *>(context);
    if (bytes == 0)
        return SCAN_OK;
    pin_staging(cuda, from, bytes);
    return wait(cuda,
                cudaMemcpyAsync(device_pointer(to, offset), from, bytes, cudaMemcpyHostToDevice,
                                cuda->copy_stream),
                "cudaMemcpyAsync to the device");
}

static scan_status copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes)
{
    cuda_context *cuda = static_cast<cuda_context *>(context);
    if (bytes == 0)
        return SCAN_OK;
    pin_staging(cuda, to, bytes);
    return wait(cuda,
                cudaMemcpyAsync(to, device_pointer(from, offset), bytes, cudaMemcpyDeviceToHost,
                                cuda->copy_stream),
                "cudaMemcpyAsync from the device");
}

static scan_status fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value)
{
    const cuda_context *cuda = static_cast<const cuda_context *>(context);
    if (bytes == 0)
        return SCAN_OK;
    return wait(cuda, cudaMemsetAsync(device_pointer(to, offset), value, bytes, cuda->copy_stream),
                "cudaMemsetAsync");
}

static scan_status available(void *context, uint64_t *bytes_p)
{
    const cuda_context *cuda = static_cast<const cuda_context *>(context);
    size_t bytes = 0, total = 0;
    scan_status status = cuda_check(cuda->host, cudaMemGetInfo(&bytes, &total), "cudaMemGetInfo");
    if (status == SCAN_OK)
        *bytes_p = bytes;
    return status;
}

const scan_memory cuda_memory = {
    .struct_size = sizeof(scan_memory),
    .reserved = 0,
    .open = open_context,
    .close = close_context,
    .allocate = allocate_buffer,
    .release = release_buffer,
    .view = view_buffer,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .fill = fill,
    .available = available,
    .flags = SCAN_MEMORY_GRAPHS,
};
