/*
 * cuda_parts.cu - contexts, buffers, runs and times of plugins in several parts
 *
 * All buffers are on the list of the worker's context, wherever they lie: cudaMalloc takes the
 * current device, cudaFree any. A copy is made by a context of the buffer's device, which the
 * driver tells (unified addressing). Launches of all parts come from the worker's thread, one after
 * the other.
 */
#include "cuda_parts.h"

/* ---- devices ---------------------------------------------------------------- */

static cuda_context *first_of(const cuda_parts *parts)
{
    return parts->of[0];
}

static int device_of(const cuda_parts *parts, uint32_t part)
{
    const uint32_t first = static_cast<uint32_t>(first_of(parts)->device);
    return static_cast<int>((first + part) % parts->devices);
}

scan_status cuda_parts_use(const cuda_parts *parts, uint32_t part)
{
    return cuda_check(first_of(parts)->host, cudaSetDevice(device_of(parts, part)),
                      "cudaSetDevice");
}

scan_status cuda_parts_open(cuda_parts *parts, uint32_t count)
{
    const scan_host *host = first_of(parts)->host;
    if (count <= parts->open)
        return SCAN_OK;
    if (count > parts->devices)
        host->message(host, "%u parts share %u CUDA device%s", count, parts->devices,
                      parts->devices == 1 ? "" : "s");
    scan_status status = SCAN_OK;
    while (parts->open < count && status == SCAN_OK) {
        void *context = nullptr;
        status = cuda_memory.open(host, nullptr,
                                  static_cast<uint32_t>(device_of(parts, parts->open)), &context);
        if (status == SCAN_OK) {
            cuda_context *cuda = static_cast<cuda_context *>(context);
            cuda->parts = parts;
            parts->of[parts->open++] = cuda;
        }
    }
    const scan_status back = cuda_parts_use(parts, 0);
    return status == SCAN_OK ? back : status;
}

/* Lets kernels on `from` access memory of `to`. `from` is current. */
static scan_status connect_pair(const scan_host *host, int from, int to)
{
    int possible = 0;
    cudaError_t error = cudaDeviceCanAccessPeer(&possible, from, to);
    if (error != cudaSuccess)
        return cuda_check(host, error, "cudaDeviceCanAccessPeer");
    if (possible == 0)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "CUDA device %d cannot access the memory of device %d (no peer access)",
                          from, to);
    error = cudaDeviceEnablePeerAccess(to, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        error = cudaSuccess;
    }
    if (error == cudaSuccess)
        return SCAN_OK;
    (void)cudaGetLastError();
    return host->fail(
        host, error == cudaErrorPeerAccessUnsupported ? SCAN_UNSUPPORTED : SCAN_ERROR,
        "CUDA device %d and the memory of device %d: cudaDeviceEnablePeerAccess: %s (%s)", from, to,
        cudaGetErrorString(error), cudaGetErrorName(error));
}

scan_status cuda_parts_connect(cuda_parts *parts, uint32_t count)
{
    const scan_host *host = first_of(parts)->host;
    scan_status status = cuda_parts_open(parts, count);
    if (status != SCAN_OK || count <= parts->connected)
        return status;
    const uint32_t used = count < parts->devices ? count : parts->devices;
    status = cuda_parts_each(parts, used, [&](uint32_t from, const cuda_context *cuda) {
        scan_status of_pair = SCAN_OK;
        for (uint32_t to = 0; to < used && of_pair == SCAN_OK; to++)
            if (to != from && (from >= parts->connected || to >= parts->connected))
                of_pair = connect_pair(host, cuda->device, device_of(parts, to));
        return of_pair;
    });
    if (status == SCAN_OK)
        parts->connected = count;
    return status;
}

/* ---- the memory slots -------------------------------------------------------- */

static void close_parts(void *context)
{
    cuda_context *first = static_cast<cuda_context *>(context);
    const scan_host *host = first->host;
    cuda_parts *parts = first->parts;
    while (parts->open > 1) {
        (void)cuda_parts_use(parts, parts->open - 1); /* to wait for that device */
        cuda_memory.close(parts->of[--parts->open]);
    }
    (void)cuda_parts_use(parts, 0);
    cuda_memory.close(first);
    host->release(host, parts);
}

static scan_status open_parts(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                              void **context_p)
{
    void *context = nullptr;
    void *memory = host->allocate(host, sizeof(cuda_parts), alignof(cuda_parts));
    if (memory == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no %zu bytes of host memory for CUDA devices",
                          sizeof(cuda_parts));
    scan_status status = cuda_memory.open(host, plugin, index, &context);
    int devices = 0;
    if (status == SCAN_OK)
        status = cuda_check(host, cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    if (status != SCAN_OK) {
        if (context != nullptr)
            cuda_memory.close(context);
        host->release(host, memory);
        return status;
    }
    cuda_parts *parts = new (memory) cuda_parts();
    parts->devices = static_cast<uint32_t>(devices);
    parts->open = parts->connected = 1;
    parts->of[0] = static_cast<cuda_context *>(context);
    parts->of[0]->parts = parts;
    *context_p = context;
    return SCAN_OK;
}

scan_status cuda_parts_allocate(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p)
{
    const cuda_parts *parts = cuda_parts_of(context);
    scan_status status = cuda_parts_open(cuda_parts_of(context), part + 1);
    if (status == SCAN_OK)
        status = cuda_parts_use(parts, part);
    if (status == SCAN_OK)
        status = cuda_memory.allocate(context, bytes, buffer_p);
    (void)cuda_parts_use(parts, 0); /* it was current before */
    return status;
}

static scan_status allocate_first(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    return cuda_parts_allocate(context, 0, bytes, buffer_p);
}

static void release_part(void *context, scan_buffer buffer)
{
    cuda_memory.release(context, buffer);
}

static scan_status view_part(void *context, scan_buffer buffer, uint64_t offset, uint64_t bytes,
                             scan_buffer *view_p)
{
    return cuda_memory.view(context, buffer, offset, bytes, view_p);
}

static bool worker_device_is_current(const cuda_parts *parts)
{
    int device = -1;
    return cudaGetDevice(&device) == cudaSuccess && device == first_of(parts)->device;
}

/* use(context) with a context of the device on which the buffer lies, which is current meanwhile.
 * The thread may be any. */
template <typename Use> static scan_status where_it_lies(void *context, scan_buffer buffer, Use use)
{
    const cuda_parts *parts = cuda_parts_of(context);
    const scan_host *host = first_of(parts)->host;
    if (parts->open == 1 && worker_device_is_current(parts))
        return use(first_of(parts));
    cudaPointerAttributes found;
    cudaError_t error = cudaPointerGetAttributes(&found, scan_host_pointer(buffer));
    if (error != cudaSuccess)
        return cuda_check(host, error, "cudaPointerGetAttributes");
    uint32_t part = 0;
    while (part < parts->open && device_of(parts, part) != found.device)
        part++;
    if (found.type != cudaMemoryTypeDevice || part == parts->open)
        return host->fail(host, SCAN_ERROR, "%#llx is not memory of a part's device",
                          static_cast<unsigned long long>(buffer));
    int before = 0;
    if ((error = cudaGetDevice(&before)) != cudaSuccess ||
        (error = cudaSetDevice(found.device)) != cudaSuccess)
        return cuda_check(host, error, "cudaSetDevice");
    const scan_status status = use(parts->of[part]);
    (void)cudaSetDevice(before);
    return status;
}

static scan_status copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    if (bytes == 0)
        return SCAN_OK;
    return where_it_lies(context, to, [=](cuda_context *there) {
        return cuda_memory.copy_in(there, to, offset, from, bytes);
    });
}

static scan_status copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes)
{
    if (bytes == 0)
        return SCAN_OK;
    return where_it_lies(context, from, [=](cuda_context *there) {
        return cuda_memory.copy_out(there, to, from, offset, bytes);
    });
}

static scan_status fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value)
{
    if (bytes == 0)
        return SCAN_OK;
    return where_it_lies(context, to, [=](cuda_context *there) {
        return cuda_memory.fill(there, to, offset, bytes, value);
    });
}

/* Of the device that has the least. */
static scan_status available(void *context, uint64_t *bytes_p)
{
    cuda_parts *parts = cuda_parts_of(context);
    uint64_t least = UINT64_MAX;
    const scan_status status =
        cuda_parts_each(parts, parts->open, [&](uint32_t, cuda_context *cuda) {
            uint64_t bytes = 0;
            const scan_status of_one = cuda_memory.available(cuda, &bytes);
            least = bytes < least ? bytes : least;
            return of_one;
        });
    if (status == SCAN_OK)
        *bytes_p = least;
    return status;
}

const scan_memory cuda_parts_memory = {
    .struct_size = sizeof(scan_memory),
    .reserved = 0,
    .open = open_parts,
    .close = close_parts,
    .allocate = allocate_first,
    .release = release_part,
    .view = view_part,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .fill = fill,
    .available = available,
};

/* ---- one run ----------------------------------------------------------------- */

/* Parts that share a device take streams of different numbers, which have channels of their own as
 * far as the device has enough. */
void cuda_parts_begin(cuda_parts *parts, uint32_t count)
{
    const uint32_t turn = first_of(parts)->runs++ / CUDA_RUNS_ON_A_STREAM;
    for (uint32_t p = 0; p < count; p++) {
        cuda_context *cuda = parts->of[p];
        cuda_begin_on(cuda, cuda->streams[(turn + p / parts->devices) % CUDA_STREAMS]);
    }
}

/* The part whose work took longest; its first one if none was timed. */
static scan_status find_slowest(const cuda_parts *parts, uint32_t count, cuda_context **slowest_p)
{
    scan_status status = SCAN_OK;
    double most_ns = -1;
    *slowest_p = first_of(parts);
    for (uint32_t p = 0; p < count && status == SCAN_OK; p++) {
        double ns = 0;
        status = cuda_run_time(parts->of[p], &ns);
        if (status == SCAN_OK && ns > most_ns) {
            most_ns = ns;
            *slowest_p = parts->of[p];
        }
    }
    return status;
}

/* Waits for all parts, whatever becomes of one. */
static scan_status wait_for_all(const cuda_parts *parts, uint32_t count)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t p = 0; p < count; p++) {
        const cudaError_t of_part = cudaStreamSynchronize(parts->of[p]->stream);
        error = error == cudaSuccess ? of_part : error;
    }
    return cuda_check(first_of(parts)->host, error, "cudaStreamSynchronize");
}

scan_status cuda_parts_finish(cuda_parts *parts, uint32_t count, scan_status so_far)
{
    scan_status status = so_far;
    if (status == SCAN_OK)
        status = cuda_parts_each(parts, count,
                                 [](uint32_t, cuda_context *cuda) { return cuda_run_end(cuda); });
    cuda_open_gate(first_of(parts));
    const scan_status waited = wait_for_all(parts, count);
    status = status == SCAN_OK ? waited : status;
    if (status != SCAN_OK)
        return status;
    for (uint32_t p = 0; p < count; p++)
        if (parts->of[p]->gated) { /* one gate: once is enough */
            cuda_watch_gate(parts->of[p]);
            break;
        }
    cuda_context *slowest = nullptr;
    if (first_of(parts)->recording != 0 &&
        (status = find_slowest(parts, count, &slowest)) == SCAN_OK)
        status = cuda_run_record(slowest);
    return status;
}

/* ---- instances --------------------------------------------------------------- */

/* What each part's launches ask about the instance. */
static void enter(cuda_parts_instance *self, cuda_instance *instance)
{
    for (uint32_t p = 0; p < self->count; p++)
        self->parts->of[p]->instance = instance;
}

scan_status cuda_parts_run(void *opaque, const scan_buffer *in, const scan_buffer *out)
{
    cuda_parts_instance *self =
        static_cast<cuda_parts_instance *>(static_cast<cuda_instance *>(opaque));
    enter(self, self);
    const scan_status status = self->run_parts(self, in, out);
    cuda_open_gate(self->cuda);
    enter(self, nullptr);
    self->has_run = self->has_run || status == SCAN_OK;
    return status;
}

scan_status cuda_parts_run_one(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    cuda_parts_instance *self = static_cast<cuda_parts_instance *>(instance);
    return self->run_parts(self, &in, &out);
}

scan_status cuda_parts_allocate_scratch(cuda_parts_instance *self, uint64_t bytes)
{
    return cuda_parts_each(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
        const scan_status status = cuda_allocate_scratch(cuda, bytes, &self->memory_of[p]);
        if (status != SCAN_OK)
            return status;
        const cudaError_t error = cudaMemsetAsync(self->memory_of[p], 0, bytes, cuda->copy_stream);
        return cuda_check(cuda->host,
                          error == cudaSuccess ? cudaStreamSynchronize(cuda->copy_stream) : error,
                          "cudaMemsetAsync");
    });
}

void cuda_parts_destroy(void *opaque)
{
    const cuda_parts_instance *self =
        static_cast<cuda_parts_instance *>(static_cast<cuda_instance *>(opaque));
    for (uint32_t p = 0; p < self->count; p++)
        cuda_release_scratch(self->memory_of[p]);
    cuda_instance_destroy(opaque);
}
