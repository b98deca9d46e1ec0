/*
 * oclgrind_buffers.c - lets Oclgrind follow which bytes of a buffer were written
 *
 * Oclgrind 21.10 keeps what the host wrote in a record as long as that one write,
 * counted from the buffer's start, and keeps the record when the buffer is released
 * and its address given to another. So after a write of part of a buffer, after one
 * through a sub-buffer that starts further in, or after a release, --uninitialized
 * reads past the record and reports bytes that were written. Preloaded between
 * scanbench and Oclgrind, this
 *   - makes every sub-buffer a buffer of its own: kernels see no difference, and
 *     an access past its end is now Oclgrind's to report, not the guard words';
 *   - makes a write of part of a buffer one of the whole, with the rest as it was;
 *   - leaves out the one byte that makes a runtime allocate, so that scratch
 *     memory stays unwritten until a kernel writes it;
 *   - releases no buffer.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "oclgrind_buffers: no %s\n", name);
        abort();
    }
    return function;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
                                                  cl_buffer_create_type type, const void *info,
                                                  cl_int *error_p)
{
    const cl_buffer_region *region = info;
    cl_context context = NULL;
    (void)type;
    cl_int error = clGetMemObjectInfo(parent, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    if (error != CL_SUCCESS) {
        *error_p = error;
        return NULL;
    }
    return clCreateBuffer(context, flags, region->size, NULL, error_p);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                                     cl_bool blocking, size_t offset, size_t bytes,
                                                     const void *from, cl_uint wait_count,
                                                     const cl_event *wait, cl_event *event)
{
    cl_int (*write)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint,
                    const cl_event *, cl_event *) = next("clEnqueueWriteBuffer");
    size_t size = 0;
    cl_int error = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (error != CL_SUCCESS || (offset == 0 && bytes == size) || offset + bytes > size)
        return write(queue, buffer, blocking, offset, bytes, from, wait_count, wait, event);

    char *whole = malloc(size);
    if (whole == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    error = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, whole, wait_count, wait, NULL);
    if (error == CL_SUCCESS) {
        memcpy(whole + offset, from, bytes);
        error = write(queue, buffer, CL_TRUE, 0, size, whole, 0, NULL, event);
    }
    free(whole);
    return error;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
                                                    const void *pattern, size_t pattern_bytes,
                                                    size_t offset, size_t bytes, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    size_t size = 0;
    cl_int error = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (error != CL_SUCCESS)
        return error;
    if (bytes == 1 && size > 1)
        return CL_SUCCESS;

    char *content = malloc(bytes);
    if (content == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < bytes; i += pattern_bytes)
        memcpy(content + i, pattern, pattern_bytes);
    error = clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, bytes, content, wait_count, wait,
                                 event);
    free(content);
    return error;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem buffer)
{
    (void)buffer;
    return CL_SUCCESS;
}
