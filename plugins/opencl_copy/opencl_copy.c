/*
 * opencl_copy.c - the ceiling of OpenCL plugins: clEnqueueCopyBuffer
 *
 * Copies n elements, reading and writing each byte once, the least that a scan must do. The runtime
 * chooses how to copy; some CPU runtimes use a single thread.
 */
#include "opencl_common.h"

typedef struct copy {
    opencl_context *context;
    uint64_t bytes;
} copy;

static scan_status copy_create(const scan_host *host, const scan_plugin *plugin, void *context,
                               const scan_problem *problem, void **self_p)
{
    (void)plugin;
    copy *self = host->allocate(host, sizeof *self, _Alignof(copy));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (copy){.context = context, .bytes = problem->n * problem->element_bytes};
    *self_p = self;
    return SCAN_OK;
}

static scan_status copy_run(void *instance, scan_buffer in, scan_buffer out)
{
    const copy *self = instance;
    if (self->bytes == 0)
        return SCAN_OK;
    opencl_run run;
    opencl_run_begin(&run, self->context);
    scan_status status =
        opencl_run_copy(&run, "kernel:copy", opencl_mem(in), opencl_mem(out), self->bytes);
    return opencl_run_end(&run, status);
}

static void copy_destroy(void *instance)
{
    copy *self = instance;
    self->context->host->release(self->context->host, self);
}

static const scan_plugin opencl_copy = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "opencl_copy",
    .name = "OpenCL buffer copy",
    .version = "1.0",
    .summary = "clEnqueueCopyBuffer of the same bytes",
    .reference = "",
    OPENCL_BACKEND,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_copy);
