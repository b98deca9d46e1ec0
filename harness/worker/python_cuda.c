#include "worker/python_cuda.h"

#include "worker/host.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the driver ------------------------------------------------------------------ */

/* As in cuda.h, which need not be there: a CUresult and a CUdevice are int, a CUdeviceptr is a
 * uint64_t. */
typedef struct ipc_handle {
    unsigned char bytes[64];
} ipc_handle;

enum { RESULT_OK, RESULT_NO_MEMORY = 2 };
enum { MAX_THREADS_PER_BLOCK = 1, CLOCK_KHZ = 13 };  /* attributes of a device */
enum { SCHEDULE_SPIN = 1, STREAM_NON_BLOCKING = 1 }; /* flags of a context and of a stream */

/* X(name, the driver's name, arguments) */
#define DRIVER_CALLS(X)                                                                        \
    X(init, "cuInit", (unsigned flags))                                                        \
    X(error_name, "cuGetErrorName", (int result, const char **name_p))                         \
    X(error_text, "cuGetErrorString", (int result, const char **text_p))                       \
    X(version, "cuDriverGetVersion", (int *version_p))                                         \
    X(count, "cuDeviceGetCount", (int *count_p))                                               \
    X(device, "cuDeviceGet", (int *device_p, int index))                                       \
    X(name, "cuDeviceGetName", (char *name_p, int size, int device))                           \
    X(address, "cuDeviceGetPCIBusId", (char *pci_p, int size, int device))                     \
    X(attribute, "cuDeviceGetAttribute", (int *value_p, int which, int device))                \
    X(total, "cuDeviceTotalMem_v2", (size_t * bytes_p, int device))                            \
    X(flags, "cuDevicePrimaryCtxSetFlags_v2", (int device, unsigned flags))                    \
    X(retain, "cuDevicePrimaryCtxRetain", (void **context_p, int device))                      \
    X(give_up, "cuDevicePrimaryCtxRelease_v2", (int device))                                   \
    X(enter, "cuCtxSetCurrent", (void *context))                                               \
    X(stream, "cuStreamCreate", (void **stream_p, unsigned flags))                             \
    X(end_stream, "cuStreamDestroy_v2", (void *stream))                                        \
    X(wait, "cuStreamSynchronize", (void *stream))                                             \
    X(room, "cuMemGetInfo_v2", (size_t * free_p, size_t * total_p))                            \
    X(allocate, "cuMemAlloc_v2", (uint64_t * address_p, size_t bytes))                         \
    X(release, "cuMemFree_v2", (uint64_t address))                                             \
    X(pinned, "cuMemHostAlloc", (void **memory_p, size_t bytes, unsigned flags))               \
    X(unpin, "cuMemFreeHost", (void *memory))                                                  \
    X(copy_in, "cuMemcpyHtoDAsync_v2",                                                         \
      (uint64_t to, const void *from, size_t bytes, void *stream))                             \
    X(copy_out, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))                    \
    X(fill, "cuMemsetD8Async", (uint64_t to, unsigned char value, size_t bytes, void *stream)) \
    X(handle, "cuIpcGetMemHandle", (ipc_handle * handle_p, uint64_t address))

#define FUNCTION(name, symbol, arguments) int(*name) arguments;
typedef struct cuda_driver {
    DRIVER_CALLS(FUNCTION)
} cuda_driver;
#undef FUNCTION

/* true and *d_p, usable until the process ends; or false, and the reason is recorded. */
static bool load(const scan_host *host, cuda_driver *d_p)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *found;
    const char *missing = NULL;
    if (!library) {
        host->fail(host, SCAN_UNAVAILABLE, "no NVIDIA driver is there: %s", dlerror());
        return false;
    }
    /* ISO C has no cast from data to functions. */
#define LOOK_UP(name, symbol, arguments)      \
    found = dlsym(library, symbol);           \
    memcpy(&d_p->name, &found, sizeof found); \
    missing = missing || found ? missing : (symbol);
    DRIVER_CALLS(LOOK_UP)
#undef LOOK_UP
    if (missing)
        host->fail(host, SCAN_UNAVAILABLE, "libcuda.so.1 has no %s: it is too old", missing);
    return !missing;
}

/* SCAN_OK, or `status` and the driver's words. */
static scan_status check(const scan_host *host, const cuda_driver *d, int result,
                         scan_status status, const char *call)
{
    const char *name = "", *text = "an error without a name";
    if (result == RESULT_OK)
        return SCAN_OK;
    d->error_name(result, &name);
    d->error_text(result, &text);
    return host->fail(host, status, "%s: %s (%s)", call, text, name);
}

/* ---- devices --------------------------------------------------------------------- */

/* SCAN_OK, *d_p, and the driver's number of that device. */
static scan_status find_device(const scan_host *host, uint32_t index, cuda_driver *d_p,
                               int *device_p)
{
    int count = 0;
    if (!load(host, d_p))
        return SCAN_UNAVAILABLE;
    scan_status status = check(host, d_p, d_p->init(0), SCAN_UNAVAILABLE, "cuInit");
    if (status == SCAN_OK)
        status = check(host, d_p, d_p->count(&count), SCAN_UNAVAILABLE, "cuDeviceGetCount");
    if (status != SCAN_OK)
        return status;
    if (index >= (uint32_t)count)
        return host->fail(host, SCAN_UNAVAILABLE, "no CUDA device %u: there are %d", index, count);
    return check(host, d_p, d_p->device(device_p, (int)index), SCAN_UNAVAILABLE, "cuDeviceGet");
}

static uint32_t attribute(const cuda_driver *d, int which, int device)
{
    int value = 0;
    return d->attribute(&value, which, device) == RESULT_OK && value > 0 ? (uint32_t)value : 0;
}

scan_status python_cuda_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                              scan_device *device)
{
    cuda_driver d;
    int number = 0, version = 0;
    size_t bytes = 0;
    (void)plugin;
    scan_status status = find_device(host, index, &d, &number);
    if (status == SCAN_OK)
        status = check(host, &d, d.name(device->name, sizeof device->name, number), SCAN_ERROR,
                       "cuDeviceGetName");
    if (status == SCAN_OK)
        status = check(host, &d, d.version(&version), SCAN_ERROR, "cuDriverGetVersion");
    if (status == SCAN_OK)
        status = check(host, &d, d.total(&bytes, number), SCAN_ERROR, "cuDeviceTotalMem");
    if (status != SCAN_OK)
        return status;
    snprintf(device->driver, sizeof device->driver, "CUDA driver %d.%d", version / 1000,
             version % 1000 / 10);
    device->memory_bytes = bytes;
    device->max_block = attribute(&d, MAX_THREADS_PER_BLOCK, number);
    device->clock_mhz = attribute(&d, CLOCK_KHZ, number) / 1000;
    if (d.address(device->pci, sizeof device->pci, number) != RESULT_OK)
        device->pci[0] = '\0';
    for (char *at = device->pci; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return SCAN_OK;
}

/* ---- memory ---------------------------------------------------------------------- */

typedef struct python_cuda {
    cuda_driver driver;
    const scan_host *host;
    python_process *process;
    int device;
    void *stream, *bounce; /* of BOUNCE_BYTES, pinned */
} python_cuda;

/* The driver makes small buffers of pieces of a block and hands out the block as a whole: whole
 * blocks hold nothing else that the interpreter could see. */
enum { BLOCK_BYTES = 2 << 20 };

/* The driver sends so few bytes through the engine that computes, unless the host's memory is
 * pinned. That engine then changes from the interpreter's context to this one, and back for the
 * next run: 0.15 ms on an H200, each way. From pinned memory an engine for copies takes them. */
enum { BOUNCE_BYTES = 64 << 10 };

static scan_status no_room(const python_cuda *c, uint64_t bytes, int result)
{
    size_t available = 0, total = 0;
    const char *name = "", *text = "";
    c->driver.error_name(result, &name);
    c->driver.error_text(result, &text);
    c->driver.room(&available, &total);
    return c->host->fail(c->host, SCAN_NO_MEMORY,
                         "cuMemAlloc of %llu bytes: %s (%s); %zu of %zu bytes are free",
                         (unsigned long long)bytes, text, name, available, total);
}

static scan_status lend(const python_cuda *c, uint64_t address, uint64_t bytes)
{
    ipc_handle handle;
    char text[2 * sizeof handle + 1];
    scan_status status = check(c->host, &c->driver, c->driver.handle(&handle, address), SCAN_ERROR,
                               "memory cannot be lent to Python: cuIpcGetMemHandle");
    if (status != SCAN_OK)
        return status;
    for (size_t i = 0; i < sizeof handle; i++)
        snprintf(text + 2 * i, 3, "%02x", handle.bytes[i]);
    status = python_lend(c->process, scan_host_pointer(address), (size_t)bytes, text);
    return status == SCAN_OK ? SCAN_OK
                             : c->host->fail(c->host, status, "memory cannot be lent to Python: %s",
                                             python_answer(c->process));
}

static scan_status allocate(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    const python_cuda *c = context;
    uint64_t address = 0;
    const uint64_t whole = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    const int result = whole < bytes ? RESULT_NO_MEMORY : c->driver.allocate(&address, whole);
    if (result == RESULT_NO_MEMORY)
        return no_room(c, bytes, result);
    scan_status status = check(c->host, &c->driver, result, SCAN_ERROR, "cuMemAlloc");
    if (status == SCAN_OK)
        status = lend(c, address, whole);
    if (status == SCAN_OK)
        *buffer_p = address;
    else if (address)
        c->driver.release(address);
    return status;
}

static void release(void *context, scan_buffer buffer)
{
    const python_cuda *c = context;
    if (python_take_back(c->process, scan_host_pointer(buffer)))
        c->driver.release(buffer);
}

static scan_status view(void *context, scan_buffer buffer, uint64_t offset, uint64_t bytes,
                        scan_buffer *view_p)
{
    (void)context;
    (void)bytes;
    *view_p = buffer + offset;
    return SCAN_OK;
}

/* Waits for what was queued. */
static scan_status complete(const python_cuda *c, int result, const char *call)
{
    return check(c->host, &c->driver, result == RESULT_OK ? c->driver.wait(c->stream) : result,
                 SCAN_ERROR, call);
}

static scan_status copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    const python_cuda *c = context;
    if (bytes == 0)
        return SCAN_OK;
    if (bytes <= BOUNCE_BYTES)
        from = memcpy(c->bounce, from, (size_t)bytes);
    return complete(c, c->driver.copy_in(to + offset, from, (size_t)bytes, c->stream),
                    "cuMemcpyHtoDAsync");
}

static scan_status copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes)
{
    const python_cuda *c = context;
    return bytes == 0
               ? SCAN_OK
               : check(c->host, &c->driver, c->driver.copy_out(to, from + offset, (size_t)bytes),
                       SCAN_ERROR, "cuMemcpyDtoH");
}

/* A kernel of this context fills. A short one of the interpreter's then takes the engine back, so
 * that the next run does not wait for the change. */
static scan_status fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value)
{
    const python_cuda *c = context;
    if (bytes == 0)
        return SCAN_OK;
    const scan_status status = complete(
        c, c->driver.fill(to + offset, value, (size_t)bytes, c->stream), "cuMemsetD8Async");
    return status == SCAN_OK ? python_told(c->process, c->host, python_wake_device(c->process))
                             : status;
}

static scan_status available(void *context, uint64_t *bytes_p)
{
    const python_cuda *c = context;
    size_t bytes = 0, total = 0;
    const scan_status status =
        check(c->host, &c->driver, c->driver.room(&bytes, &total), SCAN_ERROR, "cuMemGetInfo");
    if (status == SCAN_OK)
        *bytes_p = bytes;
    return status;
}

/* ---- the context ----------------------------------------------------------------- */

static void close_context(void *context)
{
    python_cuda *c = context;
    if (c->stream)
        c->driver.end_stream(c->stream);
    if (c->bounce)
        c->driver.unpin(c->bounce);
    c->driver.give_up(c->device);
    free(c);
}

/* The worker's own: a context, a stream and the memory that short copies go through. */
static scan_status enter(python_cuda *c)
{
    void *context = NULL;
    /* Fails if the context exists already, which then keeps its flags. */
    c->driver.flags(c->device, SCHEDULE_SPIN);
    scan_status status = check(c->host, &c->driver, c->driver.retain(&context, c->device),
                               SCAN_ERROR, "cuDevicePrimaryCtxRetain");
    if (status == SCAN_OK)
        status =
            check(c->host, &c->driver, c->driver.enter(context), SCAN_ERROR, "cuCtxSetCurrent");
    if (status == SCAN_OK)
        status = check(c->host, &c->driver, c->driver.stream(&c->stream, STREAM_NON_BLOCKING),
                       SCAN_ERROR, "cuStreamCreate");
    if (status == SCAN_OK)
        status = check(c->host, &c->driver, c->driver.pinned(&c->bounce, BOUNCE_BYTES, 0),
                       SCAN_ERROR, "cuMemHostAlloc");
    return status;
}

/* Both processes take the device, and a buffer goes from the one to the other. */
static scan_status open_device(python_cuda *c, uint32_t index)
{
    scan_buffer buffer = 0;
    scan_status status = enter(c);
    if (status == SCAN_OK)
        status = python_told(c->process, c->host, python_take_device(c->process, index));
    if (status == SCAN_OK)
        status = allocate(c, 1, &buffer);
    if (status == SCAN_OK)
        release(c, buffer);
    return status == SCAN_ERROR ? SCAN_UNAVAILABLE : status;
}

static scan_status open_context(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                                void **context_p)
{
    const worker_host *worker = (const worker_host *)(const void *)host;
    python_cuda *c = calloc(1, sizeof *c);
    (void)plugin;
    if (!c)
        return host->fail(host, SCAN_NO_MEMORY, "out of memory for a CUDA context");
    c->host = host;
    c->process = worker->python;
    scan_status status = find_device(host, index, &c->driver, &c->device);
    if (status != SCAN_OK) {
        free(c);
        return status;
    }
    status = open_device(c, index);
    if (status == SCAN_OK)
        *context_p = c;
    else
        close_context(c);
    return status;
}

const scan_memory python_cuda_memory = {.struct_size = sizeof python_cuda_memory,
                                        .open = open_context,
                                        .close = close_context,
                                        .allocate = allocate,
                                        .release = release,
                                        .view = view,
                                        .copy_in = copy_in,
                                        .copy_out = copy_out,
                                        .fill = fill,
                                        .available = available};
