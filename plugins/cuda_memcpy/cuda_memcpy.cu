/*
 * cuda_memcpy.cu - the ceiling: a device-to-device copy of the same bytes
 *
 * Reads n elements once and writes them once, the least that any scan must do. Moves 2n
 * elements.
 *
 * Beside cudaMemcpyAsync there is a kernel that copies vectors of 16 bytes: it starts
 * faster, which counts where n is small. How many vectors a thread has under way, and
 * whether the grid covers the input or only fills the device, decides how close it
 * comes where n is large. Which is the fastest depends on the size, so all are measured.
 */
#include "cuda_common.h"

enum { WAY_RUNTIME, WAY_ONE_VECTOR, WAY_FOUR_VECTORS, WAY_RESIDENT };

static constexpr unsigned BLOCK = 512;

/* Tiles of VECTORS * BLOCK vectors: a thread loads all of its vectors before it stores
 * the first. The grid may be smaller than the number of tiles. */
template <unsigned VECTORS>
static __global__ void __launch_bounds__(BLOCK)
    copy_vectors(const uint4 *in, uint4 *out, uint64_t bytes)
{
    const uint64_t tile = VECTORS * BLOCK;
    const uint64_t vectors = bytes / sizeof(uint4);
    for (uint64_t start = blockIdx.x * tile; start < vectors; start += gridDim.x * tile) {
        uint4 values[VECTORS];
#pragma unroll
        for (unsigned v = 0; v < VECTORS; v++) {
            const uint64_t i = start + v * BLOCK + threadIdx.x;
            if (i < vectors)
                values[v] = in[i];
        }
#pragma unroll
        for (unsigned v = 0; v < VECTORS; v++) {
            const uint64_t i = start + v * BLOCK + threadIdx.x;
            if (i < vectors)
                out[i] = values[v];
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < bytes % sizeof(uint4)) {
        const uint64_t last = vectors * sizeof(uint4) + threadIdx.x;
        reinterpret_cast<unsigned char *>(out)[last] =
            reinterpret_cast<const unsigned char *>(in)[last];
    }
}

struct copy_instance : cuda_instance {
    uint64_t bytes;
    void (*kernel)(const uint4 *in, uint4 *out, uint64_t bytes); /* or NULL: cudaMemcpyAsync */
    uint64_t blocks;
};

static scan_status copy_by_runtime(const copy_instance *self, scan_buffer in, scan_buffer out)
{
    cuda_context *cuda = self->cuda;
    scan_status status = cuda_mark(cuda, "kernel:copy");
    if (status != SCAN_OK)
        return status;
    return cuda_check(cuda->host,
                      cudaMemcpyAsync(scan_host_pointer(out), scan_host_pointer(in), self->bytes,
                                      cudaMemcpyDeviceToDevice, cuda->stream),
                      "cudaMemcpyAsync");
}

static scan_status copy_by_kernel(const copy_instance *self, scan_buffer in, scan_buffer out)
{
    const cuda_grid grid = {self->blocks, BLOCK, 0};
    return cuda_launch(self->cuda, "kernel:copy", grid, self->kernel,
                       static_cast<const uint4 *>(scan_host_pointer(in)),
                       static_cast<uint4 *>(scan_host_pointer(out)), self->bytes);
}

static scan_status copy(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    const copy_instance *self = static_cast<const copy_instance *>(instance);
    cuda_begin(self->cuda);
    if (self->bytes == 0)
        return SCAN_OK;
    const scan_status status =
        self->kernel != nullptr ? copy_by_kernel(self, in, out) : copy_by_runtime(self, in, out);
    return status == SCAN_OK ? cuda_finish(self->cuda) : status;
}

static scan_status prepare(copy_instance *self, int64_t way)
{
    const uint64_t per_thread = way == WAY_ONE_VECTOR ? 1 : 4;
    const uint64_t tile = per_thread * BLOCK * sizeof(uint4);
    unsigned resident = 0;
    self->kernel = per_thread == 1 ? copy_vectors<1> : copy_vectors<4>;
    self->blocks = self->bytes / tile + 1;
    const scan_status status =
        cuda_prepare(self->cuda, reinterpret_cast<const void *>(self->kernel), BLOCK, 0, &resident);
    if (status == SCAN_OK && way == WAY_RESIDENT && resident < self->blocks)
        self->blocks = resident;
    return status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)host;
    const int64_t way = problem->tunables[0];
    copy_instance *self = nullptr;
    scan_status status = cuda_instance_create(static_cast<cuda_context *>(context), &self);
    if (status != SCAN_OK)
        return status;
    self->run = copy;
    self->bytes = problem->n * problem->element_bytes;
    if (way != WAY_RUNTIME)
        status = prepare(self, way);
    if (status == SCAN_OK)
        *self_p = self;
    else
        cuda_instance_destroy(self);
    return status;
}

static const int64_t ways[] = {WAY_RUNTIME, WAY_ONE_VECTOR, WAY_FOUR_VECTORS, WAY_RESIDENT};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_LIST("way",
                      "0: cudaMemcpyAsync; a kernel with 1: one vector a thread, 2: four, 3: "
                      "four at a time in as many blocks as fit the device",
                      WAY_RUNTIME, ways),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cuda_memcpy",
    .name = "Device-to-device copy",
    .version = "1.0",
    .summary = "copies the same bytes on the device: cudaMemcpyAsync, or a kernel",
    .reference = "",
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
