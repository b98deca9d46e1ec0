/*
 * opencl_chunked.c - a scan for OpenCL on CPUs: few long chunks, each scanned by one work-item
 *
 * chunked.cl has the kernels and their literature. On a GPU this shows what a scan loses if
 * neighbouring work-items do not read neighbouring elements.
 */
#include "opencl_scan.h"

#include "chunked.cl.h"

#include <stdio.h>

/* Chunk lengths are multiples of the kernel's vectors. */
enum { VECTOR = 16 };

/* The default number of chunks: several for each core, so that a core that falls behind does not
 * hold up the rest, and none is too short to be worth a work-item. */
enum { CHUNKS_PER_CPU = 8, LEAST_ON_CPU = 4096, CHUNKS_PER_GPU_UNIT = 256, LEAST_ON_GPU = 256 };

typedef struct chunked {
    opencl_context *context;
    cl_kernel reduce;
    cl_kernel spine;
    cl_kernel scan;
    cl_mem totals;
    cl_ulong n;
    cl_ulong length; /* elements per chunk; the last one may have fewer */
    cl_uint chunks;
} chunked;

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("chunks", "chunks the input is cut into; 0: several per compute unit", 0, 0,
                       65536),
};

static uint64_t divide_up(uint64_t n, uint64_t by)
{
    return n / by + (n % by != 0);
}

static uint64_t default_chunks(const opencl_context *context, uint64_t n)
{
    const bool cpu = (context->type & CL_DEVICE_TYPE_CPU) != 0;
    const uint64_t most =
        (uint64_t)context->compute_units * (cpu ? CHUNKS_PER_CPU : CHUNKS_PER_GPU_UNIT);
    const uint64_t worthwhile = divide_up(n, cpu ? LEAST_ON_CPU : LEAST_ON_GPU);
    return worthwhile < most ? worthwhile : most;
}

/* For n > 0. */
static void choose_chunks(chunked *self, const scan_problem *problem)
{
    uint64_t wanted = (uint64_t)problem->tunables[0];
    if (wanted == 0)
        wanted = default_chunks(self->context, self->n);
    self->length = divide_up(divide_up(self->n, wanted), VECTOR) * VECTOR;
    self->chunks = (cl_uint)divide_up(self->n, self->length);
}

static scan_status make_kernels(chunked *self, const scan_problem *problem)
{
    char words[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_scan_options(problem, words);
    snprintf(options, sizeof options, "%.120s -D INCLUSIVE=%d", words,
             problem->kind == SCAN_KIND_INCLUSIVE);
    const char *const sources[] = {opencl_scan_ops, chunked_cl};
    cl_program program = NULL;
    scan_status status = opencl_build(self->context, sources, 2, options, &program);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, "reduce", &self->reduce);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, "spine", &self->spine);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, "scan", &self->scan);
    return status;
}

static scan_status enqueue_reduce(const chunked *self, opencl_run *run, cl_mem in, cl_ulong n)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(in), OPENCL_ARGUMENT(self->totals),
                                         OPENCL_ARGUMENT(n), OPENCL_ARGUMENT(self->length)};
    scan_status status = opencl_set_arguments(self->context, self->reduce, "reduce", arguments, 4);
    if (status != SCAN_OK)
        return status;
    return opencl_run_kernel(run, self->reduce, "kernel:reduce", self->chunks - 1, 1);
}

static scan_status enqueue_spine(const chunked *self, opencl_run *run)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(self->totals),
                                         OPENCL_ARGUMENT(self->chunks)};
    scan_status status = opencl_set_arguments(self->context, self->spine, "spine", arguments, 2);
    if (status != SCAN_OK)
        return status;
    return opencl_run_kernel(run, self->spine, "kernel:spine", 1, 1);
}

static scan_status enqueue_scan(const chunked *self, opencl_run *run, cl_mem in, cl_mem out,
                                cl_ulong n)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(in), OPENCL_ARGUMENT(out),
                                         OPENCL_ARGUMENT(self->totals), OPENCL_ARGUMENT(n),
                                         OPENCL_ARGUMENT(self->length)};
    scan_status status = opencl_set_arguments(self->context, self->scan, "scan", arguments, 5);
    if (status != SCAN_OK)
        return status;
    return opencl_run_kernel(run, self->scan, "kernel:scan", self->chunks, 1);
}

/* Enqueues the scan of the first `n` elements; a single chunk needs no total. */
static scan_status enqueue(const chunked *self, opencl_run *run, cl_mem in, cl_mem out, cl_ulong n)
{
    scan_status status = SCAN_OK;
    if (self->chunks > 1)
        status = enqueue_reduce(self, run, in, n);
    if (status == SCAN_OK && self->chunks > 1)
        status = enqueue_spine(self, run);
    if (status == SCAN_OK)
        status = enqueue_scan(self, run, in, out, n);
    return status;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)host;
    (void)plugin;
    return opencl_check_dtype(context, problem);
}

static void destroy(void *instance)
{
    chunked *self = instance;
    if (self->totals)
        clReleaseMemObject(self->totals);
    if (self->scan)
        clReleaseKernel(self->scan);
    if (self->spine)
        clReleaseKernel(self->spine);
    if (self->reduce)
        clReleaseKernel(self->reduce);
    self->context->host->release(self->context->host, self);
}

/* Allocates scratch, and launches with no elements, because some runtimes compile at the first
 * launch. */
static scan_status prepare(chunked *self, const scan_problem *problem)
{
    choose_chunks(self, problem);
    const uint64_t bytes = (uint64_t)self->chunks * problem->element_bytes;
    scan_status status = opencl_allocate(self->context, "chunk totals", bytes, &self->totals);
    if (status != SCAN_OK)
        return status;
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self->context);
    return opencl_run_end(&run, enqueue(self, &run, self->totals, self->totals, 0));
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    chunked *self = host->allocate(host, sizeof *self, _Alignof(chunked));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (chunked){.context = context, .n = problem->n};
    scan_status status = make_kernels(self, problem);
    if (status == SCAN_OK && self->n > 0)
        status = prepare(self, problem);
    if (status != SCAN_OK) {
        destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status run_scan(void *instance, scan_buffer in, scan_buffer out)
{
    const chunked *self = instance;
    if (self->n == 0)
        return SCAN_OK;
    opencl_run run;
    opencl_run_begin(&run, self->context);
    return opencl_run_end(&run, enqueue(self, &run, opencl_mem(in), opencl_mem(out), self->n));
}

static const scan_plugin opencl_chunked = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "opencl_chunked",
    .name = "Reduce-then-scan of long chunks in OpenCL",
    .version = "1.0",
    .summary = "one work-item per long chunk and no barriers: a scan for OpenCL on CPUs",
    .reference = "Blelloch, Prefix sums and their applications, 1990, section 1.3",
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    OPENCL_BACKEND,
    .supports = supports,
    .create = create,
    .run = run_scan,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_chunked);
