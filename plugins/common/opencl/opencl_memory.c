/*
 * opencl_memory.c - the memory vtable of OpenCL plugins, and their context
 */
#include "opencl_common.h"

#include <stdlib.h>
#include <string.h>

static void context_close(void *context);

/* Reads the properties of the device that plugins need often. */
static void read_limits(opencl_context *self)
{
    cl_device_id device = self->device;
    self->type = opencl_device_number(device, CL_DEVICE_TYPE);
    self->max_block = (size_t)opencl_device_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    self->local_bytes = opencl_device_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
    self->memory_bytes = opencl_device_number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    self->max_buffer_bytes = opencl_device_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    self->compute_units = (uint32_t)opencl_device_number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    self->f32_config = opencl_device_number(device, CL_DEVICE_SINGLE_FP_CONFIG);
    self->f64_config = opencl_device_number(device, CL_DEVICE_DOUBLE_FP_CONFIG);
}

static scan_status open_handles(opencl_context *self, cl_platform_id platform)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platform, 0};
    cl_int error = CL_SUCCESS;
    self->handle = clCreateContext(properties, 1, &self->device, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clCreateContext");
    self->queue = clCreateCommandQueue(self->handle, self->device, 0, &error);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clCreateCommandQueue");
    self->profiling =
        clCreateCommandQueue(self->handle, self->device, CL_QUEUE_PROFILING_ENABLE, &error);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clCreateCommandQueue(CL_QUEUE_PROFILING_ENABLE)");
    if (!opencl_gate_make(&self->gate, self->device))
        self->host->message(self->host, "no gate in front of recorded commands");
    return SCAN_OK;
}

static scan_status context_open(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                                void **context_p)
{
    (void)plugin;
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    scan_status status = opencl_find_device(host, index, &platform, &device);
    if (status != SCAN_OK)
        return SCAN_ERROR;
    opencl_context *self = host->allocate(host, sizeof *self, _Alignof(opencl_context));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the OpenCL context");
    *self = (opencl_context){.host = host, .device = device};
    read_limits(self);
    status = open_handles(self, platform);
    if (status != SCAN_OK) {
        context_close(self);
        return status;
    }
    *context_p = self;
    return SCAN_OK;
}

/* A release that fails is ignored: nothing can be done about it. */
static void context_close(void *context)
{
    opencl_context *self = context;
    opencl_release_programs(self);
    opencl_gate_open(&self->gate, self->profiling);
    opencl_gate_free(&self->gate);
    if (self->profiling)
        clReleaseCommandQueue(self->profiling);
    if (self->queue)
        clReleaseCommandQueue(self->queue);
    if (self->handle)
        clReleaseContext(self->handle);
    self->host->release(self->host, self);
}

static scan_status no_memory(opencl_context *self, cl_int error, const char *call, const char *what,
                             uint64_t bytes)
{
    return self->host->fail(self->host, SCAN_NO_MEMORY,
                            "%s of %llu bytes for %s: %s (%d); the device has %llu bytes, at most "
                            "%llu in one buffer",
                            call, (unsigned long long)bytes, what, opencl_error_name(error),
                            (int)error, (unsigned long long)self->memory_bytes,
                            (unsigned long long)self->max_buffer_bytes);
}

scan_status opencl_allocate(opencl_context *self, const char *what, uint64_t bytes,
                            cl_mem *buffer_p)
{
    /* Sizes above CL_DEVICE_MAX_MEM_ALLOC_SIZE are tried too: some runtimes give more than they
     * promise, others return CL_INVALID_BUFFER_SIZE. */
    if (bytes > SIZE_MAX)
        return no_memory(self, CL_INVALID_BUFFER_SIZE, "an address space too small", what, bytes);
    cl_int error = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(self->handle, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &error);
    if (error != CL_SUCCESS)
        return no_memory(self, error, "clCreateBuffer", what, bytes);
    /* Using one byte makes a runtime that allocates at the first use do so now. The byte is read,
     * not written, so that checkers still see unwritten memory. */
    uint8_t byte = 0;
    error = clEnqueueReadBuffer(self->queue, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL);
    if (error != CL_SUCCESS) {
        clReleaseMemObject(buffer);
        return no_memory(self, error, "the first use", what, bytes);
    }
    *buffer_p = buffer;
    return SCAN_OK;
}

static scan_status memory_allocate(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    cl_mem buffer = NULL;
    scan_status status = opencl_allocate(context, "a buffer", bytes, &buffer);
    if (status == SCAN_OK)
        *buffer_p = (scan_buffer)(uintptr_t)buffer;
    return status;
}

static void memory_release(void *context, scan_buffer buffer)
{
    (void)context;
    clReleaseMemObject(opencl_mem(buffer));
}

/* The buffer that `memory` is part of, and its offset there: OpenCL has no sub-buffers of
 * sub-buffers. */
static cl_int find_parent(cl_mem memory, cl_mem *parent_p, size_t *offset_p)
{
    cl_int error =
        clGetMemObjectInfo(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof *parent_p, parent_p, NULL);
    if (error != CL_SUCCESS)
        return error;
    if (*parent_p)
        return clGetMemObjectInfo(memory, CL_MEM_OFFSET, sizeof *offset_p, offset_p, NULL);
    *parent_p = memory;
    *offset_p = 0;
    return CL_SUCCESS;
}

static scan_status memory_view(void *context, scan_buffer buffer, uint64_t offset, uint64_t bytes,
                               scan_buffer *view_p)
{
    opencl_context *self = context;
    if (bytes == 0) { /* OpenCL has no empty sub-buffers; this byte is not used */
        cl_int error = clRetainMemObject(opencl_mem(buffer));
        if (error != CL_SUCCESS)
            return opencl_fail(self->host, error, "clRetainMemObject");
        *view_p = buffer;
        return SCAN_OK;
    }
    cl_mem parent = NULL;
    size_t parent_offset = 0;
    cl_int error = find_parent(opencl_mem(buffer), &parent, &parent_offset);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clGetMemObjectInfo");
    const cl_buffer_region region = {parent_offset + (size_t)offset, (size_t)bytes};
    cl_mem view =
        clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clCreateSubBuffer(offset %zu, %zu bytes)",
                           region.origin, region.size);
    *view_p = (scan_buffer)(uintptr_t)view;
    return SCAN_OK;
}

static scan_status memory_copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                                  uint64_t bytes)
{
    opencl_context *self = context;
    if (bytes == 0)
        return SCAN_OK;
    cl_int error = clEnqueueWriteBuffer(self->queue, opencl_mem(to), CL_TRUE, (size_t)offset,
                                        (size_t)bytes, from, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clEnqueueWriteBuffer(%llu bytes)",
                           (unsigned long long)bytes);
    return SCAN_OK;
}

static scan_status memory_copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                                   uint64_t bytes)
{
    opencl_context *self = context;
    if (bytes == 0)
        return SCAN_OK;
    cl_int error = clEnqueueReadBuffer(self->queue, opencl_mem(from), CL_TRUE, (size_t)offset,
                                       (size_t)bytes, to, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "clEnqueueReadBuffer(%llu bytes)",
                           (unsigned long long)bytes);
    return SCAN_OK;
}

/* A longer pattern is faster: runtimes fill pattern by pattern. */
static cl_int fill_near(const opencl_context *self, cl_mem to, size_t offset, size_t bytes,
                        uint8_t value)
{
    enum { WIDE = 16 };
    uint8_t pattern[WIDE];
    memset(pattern, value, sizeof pattern);
    const size_t width = (offset | bytes) % WIDE == 0 ? WIDE : 1;
    const cl_int error =
        clEnqueueFillBuffer(self->queue, to, pattern, width, offset, bytes, 0, NULL, NULL);
    return error == CL_SUCCESS ? clFinish(self->queue) : error;
}

/* Writes the value from the host. */
static cl_int fill_far(const opencl_context *self, cl_mem to, uint64_t offset, uint64_t bytes,
                       uint8_t value)
{
    enum { PIECE = 16 << 20 };
    void *piece = malloc(PIECE);
    if (!piece)
        return CL_OUT_OF_HOST_MEMORY;
    memset(piece, value, PIECE);
    cl_int error = CL_SUCCESS;
    for (uint64_t done = 0; error == CL_SUCCESS && done < bytes; done += PIECE)
        error = clEnqueueWriteBuffer(self->queue, to, CL_TRUE, (size_t)(offset + done),
                                     (size_t)(bytes - done < PIECE ? bytes - done : PIECE), piece,
                                     0, NULL, NULL);
    free(piece);
    return error;
}

/* NVIDIA's runtime (580.159) takes offsets of a fill for 32 bits: what lies behind 2 GiB is not
 * filled, or the queue breaks. */
static scan_status memory_fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                               uint8_t value)
{
    static const uint64_t far_from = UINT64_C(1) << 31;
    opencl_context *self = context;
    const uint64_t end = offset + bytes;
    const uint64_t split = end <= far_from ? end : offset < far_from ? far_from : offset;
    cl_int error = CL_SUCCESS;
    if (split > offset)
        error = fill_near(self, opencl_mem(to), (size_t)offset, (size_t)(split - offset), value);
    if (error == CL_SUCCESS && end > split)
        error = fill_far(self, opencl_mem(to), split, end - split, value);
    if (error != CL_SUCCESS)
        return opencl_fail(self->host, error, "filling %llu bytes", (unsigned long long)bytes);
    return SCAN_OK;
}

const scan_memory opencl_memory = {
    .struct_size = sizeof(scan_memory),
    .open = context_open,
    .close = context_close,
    .allocate = memory_allocate,
    .release = memory_release,
    .view = memory_view,
    .copy_in = memory_copy_in,
    .copy_out = memory_copy_out,
    .fill = memory_fill,
    .available = NULL, /* OpenCL does not say */
    .flags = SCAN_MEMORY_GRAPHS,
};
