/*
 * cuda_parts_memory.cu - buffers of plugins in several parts
 *
 * All buffers are on the list of the worker's context, wherever they lie: cudaMalloc takes the
 * current device, cudaFree any. A copy is made by a context of the buffer's device, which the
 * driver tells (unified addressing).
 */
#include "cuda_parts.h"

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
    return cudaGetDevice(&device) == cudaSuccess && device == parts->of[0]->device;
}

/* use(context) with a context of the device on which the buffer lies, which is current meanwhile.
 * The thread may be any. */
template <typename Use> static scan_status where_it_lies(void *context, scan_buffer buffer, Use use)
{
    const cuda_parts *parts = cuda_parts_of(context);
    const scan_host *host = parts->of[0]->host;
    if (parts->open == 1 && worker_device_is_current(parts))
        return use(parts->of[0]);
    cudaPointerAttributes found;
    cudaError_t error = cudaPointerGetAttributes(&found, scan_host_pointer(buffer));
    if (error != cudaSuccess)
        return cuda_check(host, error, "cudaPointerGetAttributes");
    uint32_t part = 0;
    while (part < parts->open && cuda_parts_device(parts, part) != found.device)
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
    .flags = SCAN_MEMORY_GRAPHS,
};
