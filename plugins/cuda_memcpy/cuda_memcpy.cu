/*
 * cuda_memcpy.cu - the ceiling: a device-to-device copy of the same bytes
 *
 * Reads n elements once and writes them once, the least that any scan must do. Moves 2n elements.
 */
#include "cuda_common.h"

struct copy_instance : cuda_instance {
    uint64_t bytes;
};

static scan_status copy(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    const copy_instance *self = static_cast<const copy_instance *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->bytes == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, "kernel:copy");
    if (status != SCAN_OK)
        return status;
    cudaError_t error = cudaMemcpyAsync(scan_host_pointer(out), scan_host_pointer(in), self->bytes,
                                        cudaMemcpyDeviceToDevice, cuda->stream);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaMemcpyAsync");
    return cuda_finish(cuda);
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)host;
    copy_instance *self = nullptr;
    scan_status status = cuda_instance_create(static_cast<cuda_context *>(context), &self);
    if (status != SCAN_OK)
        return status;
    self->run = copy;
    self->bytes = problem->n * problem->element_bytes;
    *self_p = self;
    return SCAN_OK;
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cuda_memcpy",
    .name = "cudaMemcpy, device to device",
    .version = "1.0",
    .summary = "copies the same bytes on the device: what a scan is measured against",
    .reference = "",
    CUDA_BACKEND,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
