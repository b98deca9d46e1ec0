/*
 * cuda_memcpy.cu - the ceiling: a device-to-device copy of the same bytes
 *
 * Reads n elements once and writes them once, the least that any scan must do. Moves 2n
 * elements.
 *
 * Beside cudaMemcpyAsync there is a kernel that copies vectors of 16 bytes: it starts
 * faster, which counts where n is small. How many vectors a thread has under way, and
 * whether the grid covers the input or only fills the device, decides how close it
 * comes where n is large. Where the L2 cache holds one array but hardly more (8 x 10^6
 * integers on an H200), it helps to let the input leave it first. Which is the fastest
 * depends on the size, so all are measured.
 *
 * In several parts (scan_parts.h) each device copies its slice, all at once. Where results are
 * wider than the input the kernels convert the elements on their way (copy_kernel.cuh).
 *
 * Of plugins that work in place only the ceiling is cuda_in_place: the same kernels invert each
 * vector where it lies, so all is read and stored, and nobody can skip that unseen.
 */
#include "copy_kernel.cuh"
#include "cuda_parts.h"

#include <cstring>

enum { WAY_RUNTIME, WAY_ONE_VECTOR, WAY_FOUR_VECTORS, WAY_RESIDENT, WAY_READ_ONCE };

/* What a device copies. */
struct copy_slice {
    uint64_t elements; /* bytes, where they are not converted */
    void (*kernel)(const void *in, void *out, uint64_t elements); /* or NULL: cudaMemcpyAsync */
    uint64_t blocks;
};

struct copy_instance : cuda_parts_instance {
    copy_slice slices[SCAN_PARTS_MOST];
};

static scan_status copy_by_runtime(cuda_context *cuda, const copy_slice &slice, scan_buffer in,
                                   scan_buffer out)
{
    scan_status status = cuda_mark(cuda, "kernel:copy");
    if (status != SCAN_OK)
        return status;
    return cuda_check(cuda->host,
                      cudaMemcpyAsync(scan_host_pointer(out), scan_host_pointer(in), slice.elements,
                                      cudaMemcpyDeviceToDevice, cuda->stream),
                      "cudaMemcpyAsync");
}

static scan_status copy_by_kernel(cuda_context *cuda, const copy_slice &slice, scan_buffer in,
                                  scan_buffer out)
{
    const cuda_grid grid = {slice.blocks, COPY_BLOCK, 0};
    return cuda_launch(cuda, "kernel:copy", grid, slice.kernel, scan_host_pointer(in),
                       scan_host_pointer(out), slice.elements);
}

static scan_status copy_one(cuda_context *cuda, const copy_slice &slice, scan_buffer in,
                            scan_buffer out)
{
    return slice.kernel != nullptr ? copy_by_kernel(cuda, slice, in, out)
                                   : copy_by_runtime(cuda, slice, in, out);
}

static scan_status copy(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    const copy_instance *self = static_cast<const copy_instance *>(instance);
    cuda_begin(self->cuda);
    if (self->slices[0].elements == 0)
        return SCAN_OK;
    const scan_status status = copy_one(self->cuda, self->slices[0], in, out);
    return status == SCAN_OK ? cuda_finish(self->cuda) : status;
}

static scan_status copy_parts(cuda_parts_instance *instance, const scan_buffer *in,
                              const scan_buffer *out)
{
    const copy_instance *self = static_cast<const copy_instance *>(instance);
    return cuda_parts_do(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
        const copy_slice &slice = self->slices[p];
        return slice.elements > 0 ? copy_one(cuda, slice, in[p], out[p]) : SCAN_OK;
    });
}

static bool is_wide(const scan_problem *problem)
{
    return scan_result(problem) != problem->dtype;
}

/* Chooses a kernel, and the blocks that cover the slice. */
template <typename Pass> static void choose(copy_slice *slice, int64_t way)
{
    const bool one = way == WAY_ONE_VECTOR || way == WAY_READ_ONCE;
    slice->kernel = !one                   ? copy_vectors<Pass, 4, false>
                    : way == WAY_READ_ONCE ? copy_vectors<Pass, 1, true>
                                           : copy_vectors<Pass, 1, false>;
    slice->blocks =
        slice->elements / ((one ? 1 : 4) * COPY_BLOCK * (16 / sizeof(typename Pass::to))) + 1;
}

static scan_status prepare(cuda_context *cuda, copy_slice *slice, const scan_problem *problem,
                           bool inverts)
{
    const int64_t way = problem->tunables[0];
    unsigned resident = 0;
    if (is_wide(problem))
        (void)cuda_find_wide(problem->dtype, scan_result(problem), [=](auto pair) {
            using types = decltype(pair);
            choose<copy_widened<typename types::from, typename types::to>>(slice, way);
        });
    else if (inverts)
        choose<copy_inverted>(slice, way);
    else
        choose<copy_same>(slice, way);
    const scan_status status =
        cuda_prepare(cuda, reinterpret_cast<const void *>(slice->kernel), COPY_BLOCK, 0, &resident);
    if (status == SCAN_OK && way == WAY_RESIDENT && resident < slice->blocks)
        slice->blocks = resident;
    return status;
}

static scan_status prepare_all(copy_instance *self, const scan_problem *problem, bool inverts)
{
    const uint64_t slice = scan_parts_slice(problem->n, self->count);
    return cuda_parts_each(self->parts, self->count, [=](uint32_t p, cuda_context *cuda) {
        const uint64_t bytes = is_wide(problem) ? 1 : problem->element_bytes;
        self->slices[p].elements = scan_parts_length(problem->n, slice, self->count, p) * bytes;
        return problem->tunables[0] == WAY_RUNTIME
                   ? SCAN_OK
                   : prepare(cuda, &self->slices[p], problem, inverts);
    });
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    if (is_wide(problem) && problem->tunables[0] == WAY_RUNTIME)
        return host->fail(host, SCAN_UNSUPPORTED, "cudaMemcpyAsync converts no elements");
    if (is_wide(problem) && problem->tunables[1] > 1)
        return host->fail(host, SCAN_UNSUPPORTED, "slices have results of the input's type");
    return cuda_parts_open(cuda_parts_of(context), static_cast<uint32_t>(problem->tunables[1]));
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)host;
    const bool inverts = (plugin->flags & SCAN_FLAG_IN_PLACE_ONLY) != 0;
    const uint32_t parts = static_cast<uint32_t>(problem->tunables[1]);
    copy_instance *self = nullptr;
    scan_status status = cuda_parts_create(static_cast<cuda_context *>(context), parts, &self);
    if (status != SCAN_OK)
        return status;
    self->run = copy;
    self->run_parts = copy_parts;
    if ((status = prepare_all(self, problem, inverts)) == SCAN_OK)
        *self_p = static_cast<cuda_instance *>(self);
    else
        cuda_parts_destroy(static_cast<cuda_instance *>(self));
    return status;
}

static const int64_t ways[] = {WAY_RUNTIME, WAY_ONE_VECTOR, WAY_FOUR_VECTORS, WAY_RESIDENT,
                               WAY_READ_ONCE};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_LIST("way",
                      "0: cudaMemcpyAsync; a kernel with 1: one vector a thread, 2: four, 3: "
                      "four at a time in as many blocks as fit the device, 4: one, and what is "
                      "loaded leaves the L2 cache first",
                      WAY_RUNTIME, ways),
    SCAN_TUNABLE_RANGE(SCAN_PARTS_TUNABLE, "slices, each on a device of its own", 1, 1,
                       SCAN_PARTS_MOST),
};

static const scan_parts parts = {.struct_size = sizeof(scan_parts),
                                 .layout = SCAN_LAYOUT_CONTIGUOUS,
                                 .tile = nullptr,
                                 .allocate = cuda_parts_allocate,
                                 .run = cuda_parts_run};

static const void *get_extension(const scan_plugin *plugin, const char *name)
{
    (void)plugin;
    return strcmp(name, SCAN_PARTS) == 0 ? &parts : nullptr;
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cuda_memcpy",
    .name = "Device-to-device copy",
    .version = "1.0",
    .summary = "copies the same bytes on the device: cudaMemcpyAsync, or a kernel",
    .reference = "",
    SCAN_TUNABLES(tunables),
    CUDA_PARTS_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_parts_destroy,
    .get_extension = get_extension,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

static const int64_t invert_ways[] = {WAY_ONE_VECTOR, WAY_FOUR_VECTORS, WAY_RESIDENT};

static const scan_tunable invert_tunables[] = {
    SCAN_TUNABLE_LIST("way",
                      "a kernel with 1: one vector a thread, 2: four, 3: four at a time in as many "
                      "blocks as fit the device",
                      WAY_ONE_VECTOR, invert_ways),
    SCAN_TUNABLE_RANGE(SCAN_PARTS_TUNABLE, "slices, each on a device of its own", 1, 1,
                       SCAN_PARTS_MOST),
};

static const scan_plugin in_place = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cuda_in_place",
    .name = "Device memory inverted in place",
    .version = "1.0",
    .summary = "inverts the same bytes in place on the device, in three ways; the fastest counts",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE_ONLY,
    SCAN_TUNABLES(invert_tunables),
    CUDA_PARTS_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_parts_destroy,
    .get_extension = get_extension,
};

SCAN_EXPORT_PLUGINS(&plugin, &in_place);
