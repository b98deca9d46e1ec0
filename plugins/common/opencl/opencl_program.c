/*
 * opencl_program.c - OpenCL programs, each built once per context
 */
#include "opencl_common.h"

#include <stdio.h>
#include <string.h>

enum { MAX_OPTIONS = 256, LOG_SHOWN = 600 };

struct opencl_program {
    opencl_program *next;
    cl_program program;
    bool launched;
    uint32_t count;
    const char *sources[OPENCL_MAX_SOURCES];
    char options[MAX_OPTIONS];
};

static cl_program find_built(const opencl_context *context, const char *const *sources,
                             uint32_t count, const char *options)
{
    for (const opencl_program *entry = context->programs; entry; entry = entry->next) {
        bool same = entry->count == count && strcmp(entry->options, options) == 0;
        for (uint32_t i = 0; same && i < count; i++)
            same = entry->sources[i] == sources[i];
        if (same)
            return entry->program;
    }
    return NULL;
}

/* Puts a log on one line, because it ends up in a table. */
static void shorten_log(char *log)
{
    size_t to = 0;
    for (size_t from = 0; log[from] != '\0' && to < LOG_SHOWN; from++) {
        const bool blank = strchr(" \t\r\n", log[from]) != NULL;
        if (!blank)
            log[to++] = log[from];
        else if (to > 0 && log[to - 1] != ' ')
            log[to++] = ' ';
    }
    log[to] = '\0';
}

/* The start of the build log, as text allocated by the host, or NULL. */
static char *read_log(opencl_context *context, cl_program program)
{
    const scan_host *host = context->host;
    size_t bytes = 0;
    cl_int error =
        clGetProgramBuildInfo(program, context->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = error == CL_SUCCESS ? host->allocate(host, bytes + 1, 1) : NULL;
    if (!log)
        return NULL;
    error = clGetProgramBuildInfo(program, context->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    log[error == CL_SUCCESS ? bytes : 0] = '\0';
    shorten_log(log);
    return log;
}

/* Owned by the context on success. */
static scan_status build(opencl_context *context, const char *const *sources, uint32_t count,
                         const char *options, cl_program *program_p)
{
    const scan_host *host = context->host;
    const char *texts[OPENCL_MAX_SOURCES];
    for (uint32_t i = 0; i < count; i++)
        texts[i] = sources[i];
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context->handle, count, texts, NULL, &error);
    if (error != CL_SUCCESS)
        return opencl_fail(host, error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &context->device, options, NULL, NULL);
    if (error == CL_SUCCESS) {
        *program_p = program;
        return SCAN_OK;
    }
    char *log = read_log(context, program);
    scan_status status =
        host->fail(host, SCAN_ERROR, "clBuildProgram: %s (%d) with \"%s\": %s",
                   opencl_error_name(error), (int)error, options, log ? log : "no build log");
    host->release(host, log);
    clReleaseProgram(program);
    return status;
}

scan_status opencl_build(opencl_context *context, const char *const *sources, uint32_t count,
                         const char *options, cl_program *program_p)
{
    const scan_host *host = context->host;
    cl_program program = find_built(context, sources, count, options);
    if (program) {
        *program_p = program;
        return SCAN_OK;
    }
    if (count > OPENCL_MAX_SOURCES || strlen(options) >= MAX_OPTIONS)
        return host->fail(host, SCAN_ERROR, "opencl_build takes %d texts and %d bytes of options",
                          OPENCL_MAX_SOURCES, MAX_OPTIONS - 1);
    opencl_program *entry = host->allocate(host, sizeof *entry, _Alignof(opencl_program));
    if (!entry)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for an OpenCL program");
    scan_status status = build(context, sources, count, options, &program);
    if (status != SCAN_OK) {
        host->release(host, entry);
        return status;
    }
    *entry = (opencl_program){.next = context->programs, .program = program, .count = count};
    memcpy(entry->sources, sources, count * sizeof *sources);
    snprintf(entry->options, sizeof entry->options, "%s", options);
    context->programs = entry;
    *program_p = program;
    return SCAN_OK;
}

bool *opencl_launched(opencl_context *context, cl_program program)
{
    opencl_program *entry = context->programs;
    while (entry->program != program)
        entry = entry->next;
    return &entry->launched;
}

void opencl_release_programs(opencl_context *context)
{
    while (context->programs) {
        opencl_program *entry = context->programs;
        context->programs = entry->next;
        clReleaseProgram(entry->program);
        context->host->release(context->host, entry);
    }
}

scan_status opencl_kernel(opencl_context *context, cl_program program, const char *name,
                          cl_kernel *kernel_p)
{
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    if (error != CL_SUCCESS)
        return opencl_fail(context->host, error, "clCreateKernel(%s)", name);
    *kernel_p = kernel;
    return SCAN_OK;
}

scan_status opencl_check_kernel(opencl_context *context, cl_kernel kernel, const char *name,
                                size_t block)
{
    const scan_host *host = context->host;
    size_t most = 0;
    cl_ulong local = 0;
    cl_int error = clGetKernelWorkGroupInfo(kernel, context->device, CL_KERNEL_WORK_GROUP_SIZE,
                                            sizeof most, &most, NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(host, error, "clGetKernelWorkGroupInfo(%s, CL_KERNEL_WORK_GROUP_SIZE)",
                           name);
    size_t built_for[3] = {0};
    error = clGetKernelWorkGroupInfo(kernel, context->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                     sizeof built_for, built_for, NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(host, error,
                           "clGetKernelWorkGroupInfo(%s, CL_KERNEL_COMPILE_WORK_GROUP_SIZE)", name);
    /* NVIDIA's driver reports 256 for every kernel, but runs a kernel that was built for another
     * size (reqd_work_group_size) at that size. */
    if (built_for[0] == block)
        most = context->max_block;
    if (block > most)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "block %zu is more than the %zu work-items a work-group of kernel %s may "
                          "have on this device",
                          block, most, name);
    error = clGetKernelWorkGroupInfo(kernel, context->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                     sizeof local, &local, NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(host, error, "clGetKernelWorkGroupInfo(%s, CL_KERNEL_LOCAL_MEM_SIZE)",
                           name);
    if (local > context->local_bytes)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "kernel %s takes %llu bytes of local memory, the device has %llu", name,
                          (unsigned long long)local, (unsigned long long)context->local_bytes);
    return SCAN_OK;
}
