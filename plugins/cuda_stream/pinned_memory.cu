/*
 * pinned_memory.cu - buffers of pinned memory, and the context of a worker
 */
#include "pinned_memory.h"

#include <cstring>

struct pinned_block {
    pinned_block *next;
    scan_buffer address;
    uint64_t views; /* that begin where the block begins: same address, but not the block */
};

scan_status pinned_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    const scan_status status = cuda_probe(host, plugin, index, device);
    if (status == SCAN_OK)
        device->flags |= SCAN_DEVICE_SHARES_HOST_MEMORY;
    return status;
}

/* ---- the context ---------------------------------------------------------- */

static void pinned_close(void *opaque)
{
    pinned_context *context = static_cast<pinned_context *>(opaque);
    const scan_host *host = context->cuda->host;
    stream_pipeline_free(&context->pipeline);
    cuda_memory.close(context->cuda);
    host->release(host, context);
}

static scan_status pinned_open(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                               void **context_p)
{
    void *place = host->allocate(host, sizeof(pinned_context), alignof(pinned_context));
    if (place == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no %zu bytes of host memory for a context",
                          sizeof(pinned_context));
    pinned_context *context = new (place) pinned_context();
    void *cuda = nullptr;
    scan_status status = cuda_memory.open(host, plugin, index, &cuda);
    if (status != SCAN_OK) {
        host->release(host, context);
        return status;
    }
    context->cuda = static_cast<cuda_context *>(cuda);
    status = cuda_check(host, stream_pipeline_make(&context->pipeline), "streams and their events");
    if (status == SCAN_OK)
        *context_p = context;
    else
        pinned_close(context);
    return status;
}

/* ---- memory ---------------------------------------------------------------- */

static scan_status pin_bytes(cuda_context *cuda, uint64_t bytes, void **memory_p)
{
    const cudaError_t error = cudaHostAlloc(memory_p, bytes, cudaHostAllocDefault);
    if (error != cudaErrorMemoryAllocation)
        return cuda_check(cuda->host, error, "cudaHostAlloc");
    (void)cudaGetLastError();
    return cuda->host->fail(cuda->host, SCAN_NO_MEMORY, "cudaHostAlloc of %llu bytes: %s (%s)",
                            static_cast<unsigned long long>(bytes), cudaGetErrorString(error),
                            cudaGetErrorName(error));
}

static scan_status pinned_allocate(void *opaque, uint64_t bytes, scan_buffer *buffer_p)
{
    pinned_context *context = static_cast<pinned_context *>(opaque);
    const scan_host *host = context->cuda->host;
    void *place = host->allocate(host, sizeof(pinned_block), alignof(pinned_block));
    if (place == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no host memory to note a buffer in");
    void *memory = nullptr;
    const scan_status status = pin_bytes(context->cuda, bytes, &memory);
    if (status != SCAN_OK) {
        host->release(host, place);
        return status;
    }
    context->blocks =
        new (place) pinned_block{context->blocks, reinterpret_cast<uintptr_t>(memory), 0};
    *buffer_p = context->blocks->address;
    return SCAN_OK;
}

static void pinned_release(void *opaque, scan_buffer address)
{
    pinned_context *context = static_cast<pinned_context *>(opaque);
    pinned_block **link = &context->blocks;
    while (*link != nullptr && (*link)->address != address)
        link = &(*link)->next;
    pinned_block *block = *link;
    if (block == nullptr) /* a view from further inside */
        return;
    if (block->views > 0) {
        block->views--;
        return;
    }
    *link = block->next;
    (void)cudaFreeHost(scan_host_pointer(address));
    context->cuda->host->release(context->cuda->host, block);
}

static scan_status pinned_view(void *opaque, scan_buffer address, uint64_t offset, uint64_t bytes,
                               scan_buffer *view_p)
{
    (void)bytes;
    const pinned_context *context = static_cast<const pinned_context *>(opaque);
    for (pinned_block *block = context->blocks; block != nullptr; block = block->next)
        if (block->address == address + offset)
            block->views++;
    *view_p = address + offset;
    return SCAN_OK;
}

static char *place_in(scan_buffer buffer, uint64_t offset)
{
    return static_cast<char *>(scan_host_pointer(buffer)) + offset;
}

static scan_status pinned_copy_in(void *, scan_buffer to, uint64_t offset, const void *from,
                                  uint64_t bytes)
{
    if (bytes > 0)
        memcpy(place_in(to, offset), from, bytes);
    return SCAN_OK;
}

static scan_status pinned_copy_out(void *, void *to, scan_buffer from, uint64_t offset,
                                   uint64_t bytes)
{
    if (bytes > 0)
        memcpy(to, place_in(from, offset), bytes);
    return SCAN_OK;
}

static scan_status pinned_fill(void *, scan_buffer to, uint64_t offset, uint64_t bytes,
                               uint8_t value)
{
    if (bytes > 0)
        memset(place_in(to, offset), value, bytes);
    return SCAN_OK;
}

/* Of the GPU, where an instance has its buffers: what an instance does not free is missing there.
 */
static scan_status pinned_available(void *opaque, uint64_t *bytes_p)
{
    return cuda_memory.available(static_cast<pinned_context *>(opaque)->cuda, bytes_p);
}

const scan_memory pinned_memory = {
    .struct_size = sizeof(scan_memory),
    .reserved = 0,
    .open = pinned_open,
    .close = pinned_close,
    .allocate = pinned_allocate,
    .release = pinned_release,
    .view = pinned_view,
    .copy_in = pinned_copy_in,
    .copy_out = pinned_copy_out,
    .fill = pinned_fill,
    .available = pinned_available,
    .flags = 0,
};
