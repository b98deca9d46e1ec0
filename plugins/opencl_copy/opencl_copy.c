/*
 * opencl_copy.c - the ceilings of OpenCL plugins: a copy of the same bytes; and of plugins that
 * work in place only a pass that inverts them where they lie
 *
 * Reads and writes each byte once, the least that a scan must do. clEnqueueCopyBuffer
 * leaves the choice to the runtime, and some CPU runtimes then use a single thread;
 * the kernel of copy.cl uses every compute unit. Which is the fastest depends on the
 * runtime and the size, so all are measured. Where results are wider than the input, kernels alone
 * can convert elements on their way.
 */
#include "opencl_scan.h"

#include "copy.cl.h"

#include <stdio.h>

enum { WAY_RUNTIME, WAY_KERNEL, WAY_KERNEL_AROUND };

/* A CPU gets chunks, several for each core, so that a core that falls behind does not
 * hold up the rest, and none too short to be worth handing out. A GPU gets as many
 * work-items as it runs at once. */
enum { CPU_VECTOR_BYTES = 64, CHUNKS_PER_CPU = 8, LEAST_VECTORS_ON_CPU = 256 };
enum { GPU_VECTOR_BYTES = 16, GPU_RESULTS = 4, GPU_BLOCK = 256, BLOCKS_PER_GPU_UNIT = 8 };

typedef struct copy {
    opencl_context *context;
    cl_kernel kernel; /* NULL: the runtime's copy */
    const char *name;
    cl_ulong bytes;
    cl_ulong count;  /* bytes, or elements that are converted */
    cl_ulong length; /* vectors of one chunk */
    uint64_t groups;
    size_t block;
} copy;

/* vector: how many of what is counted a work-item takes at a time. */
static void choose_grid(copy *self, bool chunks, uint64_t vector)
{
    const uint64_t units = self->context->compute_units;
    if (chunks) {
        const uint64_t vectors = self->count / vector;
        const uint64_t wanted = opencl_between(1, opencl_divide_up(vectors, LEAST_VECTORS_ON_CPU),
                                               units * CHUNKS_PER_CPU);
        self->block = 1;
        self->length = opencl_divide_up(vectors, wanted);
        self->groups = wanted;
    } else {
        const size_t max_block = self->context->max_block;
        self->block = max_block < GPU_BLOCK ? max_block : GPU_BLOCK;
        self->groups = opencl_between(1, opencl_divide_up(self->count / vector, self->block),
                                      units * BLOCKS_PER_GPU_UNIT);
    }
}

static scan_status enqueue(const copy *self, opencl_run *run, cl_mem in, cl_mem out, cl_ulong count)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(in), OPENCL_ARGUMENT(out),
                                         OPENCL_ARGUMENT(count), OPENCL_ARGUMENT(self->length)};
    const opencl_launch launch = {self->kernel, "kernel:copy", self->groups, self->block, 4,
                                  arguments};
    return opencl_run_kernel(run, &launch);
}

/* A launch that copies nothing: some runtimes compile at the first one. */
static scan_status launch_once(const copy *self)
{
    cl_mem buffer = NULL;
    scan_status status =
        opencl_allocate(self->context, "a first launch", CPU_VECTOR_BYTES, &buffer);
    if (status != SCAN_OK)
        return status;
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self->context);
    status = opencl_run_end(&run, enqueue(self, &run, buffer, buffer, 0));
    clReleaseMemObject(buffer);
    return status;
}

static scan_status make_kernel(copy *self, const scan_problem *problem, bool inverts)
{
    const bool around = problem->tunables[0] == WAY_KERNEL_AROUND;
    const bool chunks = (self->context->type & CL_DEVICE_TYPE_CPU) != 0;
    const bool wide = opencl_is_wide(problem);
    const char *const sources[] = {copy_cl}, *const behind_ops[] = {opencl_scan_ops, copy_cl};
    char options[OPENCL_MAX_OPTIONS], definitions[OPENCL_MAX_OPTIONS] = "";
    const unsigned results = chunks ? CPU_VECTOR_BYTES / scan_result_bytes(problem) : GPU_RESULTS;
    if (wide)
        opencl_scan_definitions(problem, definitions);
    snprintf(options, sizeof options, "-D CHUNKS=%d -D AROUND=%d -D INVERT=%d -D RESULTS=%u %.100s",
             chunks, around, inverts, results, definitions);
    cl_program program = NULL;
    scan_status status =
        opencl_build(self->context, wide ? behind_ops : sources, wide ? 2 : 1, options, &program);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, self->name, &self->kernel);
    if (status != SCAN_OK)
        return status;
    choose_grid(self, chunks, wide ? results : chunks ? CPU_VECTOR_BYTES : GPU_VECTOR_BYTES);
    return launch_once(self);
}

static void copy_destroy(void *instance)
{
    copy *self = instance;
    if (self->kernel)
        clReleaseKernel(self->kernel);
    self->context->host->release(self->context->host, self);
}

static scan_status copy_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem)
{
    (void)plugin;
    if (!opencl_is_wide(problem))
        return SCAN_OK;
    if (problem->tunables[0] == WAY_RUNTIME)
        return host->fail(host, SCAN_UNSUPPORTED, "clEnqueueCopyBuffer converts no elements");
    return opencl_check_dtype(context, problem);
}

static scan_status copy_create(const scan_host *host, const scan_plugin *plugin, void *context,
                               const scan_problem *problem, void **self_p)
{
    const bool inverts = plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    const int64_t way = problem->tunables[0];
    copy *self = host->allocate(host, sizeof *self, _Alignof(copy));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (copy){.context = context,
                   .name = opencl_is_wide(problem) ? "widen" : "copy",
                   .bytes = problem->n * problem->element_bytes};
    self->count = opencl_is_wide(problem) ? problem->n : self->bytes;
    if (way != WAY_RUNTIME && self->bytes > 0) {
        const scan_status status = make_kernel(self, problem, inverts);
        if (status != SCAN_OK) {
            copy_destroy(self);
            return status;
        }
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status enqueue_all(void *instance, opencl_run *run, cl_mem in, cl_mem out)
{
    const copy *self = instance;
    return self->kernel ? enqueue(self, run, in, out, self->count)
                        : opencl_run_copy(run, "kernel:copy", in, out, self->bytes);
}

static scan_status copy_run(void *instance, scan_buffer in, scan_buffer out)
{
    const copy *self = instance;
    const opencl_commands commands = {.self = instance, .enqueue = enqueue_all};
    return self->bytes == 0 ? SCAN_OK : opencl_run_commands(self->context, &commands, in, out);
}

static const int64_t ways[] = {WAY_RUNTIME, WAY_KERNEL, WAY_KERNEL_AROUND};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_LIST("way",
                      "0: clEnqueueCopyBuffer; 1: a kernel on all compute units, 2: whose "
                      "stores go around the caches",
                      WAY_RUNTIME, ways),
};

static const scan_plugin opencl_copy = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "opencl_copy",
    .name = "OpenCL buffer copy",
    .version = "1.0",
    .summary = "a copy of the same bytes: the runtime's, or a kernel on all compute units",
    .reference = "",
    SCAN_TUNABLES(tunables),
    OPENCL_BACKEND,
    .supports = copy_supports,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

static const int64_t invert_ways[] = {WAY_KERNEL, WAY_KERNEL_AROUND};

static const scan_tunable invert_tunables[] = {
    SCAN_TUNABLE_LIST("way",
                      "1: a kernel on all compute units, 2: whose stores go around the caches",
                      WAY_KERNEL, invert_ways),
};

static const scan_plugin opencl_in_place = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "opencl_in_place",
    .name = "OpenCL buffer inverted in place",
    .version = "1.0",
    .summary = "inverts the same bytes in place: a kernel on all compute units",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE_ONLY,
    SCAN_TUNABLES(invert_tunables),
    OPENCL_BACKEND,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_copy, &opencl_in_place);
