/*
 * opencl_chunked.c - a chained scan for OpenCL on CPUs: a work-item per core, and chunks that stay
 * in the core's caches
 *
 * chunked.cl has the kernel and its literature. On a GPU this shows what a scan loses if
 * neighbouring work-items do not read neighbouring elements.
 */
#include "opencl_chained.h"

#include "chunked.cl.h"

#include <stdio.h>

enum { TUNABLE_CHUNK, TUNABLE_WORD };
enum { KIB = 1024 };

/* Chunks are whole pages, and so whole rows of the kernel. */
enum { PAGE_BYTES = 4 * KIB };

/* On a CPU: fewer bytes are scanned by one work-group, because to wake another takes as long. There
 * are so many chunks at least that all cores have work to the end. */
#define CPU_TEAM_BYTES ((uint64_t)2048 * KIB)
enum { CPU_CHUNKS = 32, CPU_LEAST_BYTES = 16 * KIB, CPU_CHUNK_KIB = 512 };
/* Outputs of more bytes are stored around the caches. */
#define FAR_BYTES ((uint64_t)8192 * KIB)
/* On a GPU: the work-groups of one work-item that a compute unit runs at once, and their chunks. */
enum { GPU_GROUPS_PER_UNIT = 32, GPU_CHUNKS = 2 };

/* Looks at a word before its total is computed by whoever needs it. */
enum { PATIENCE = 4096 };

typedef struct chunked {
    opencl_chained base; /* first, because the slots get its address */
    cl_ulong length;     /* elements per chunk; the last one may have fewer */
    cl_uint chunks;
    cl_uint groups;
} chunked;

static const int64_t chunk_sizes[] = {0, 32, 64, 128, 256, 512, 1024};

static const scan_tunable tunables[] = {
    [TUNABLE_CHUNK] =
        SCAN_TUNABLE_LIST("chunk", "KiB of a chunk at most; 0: by the device", 0, chunk_sizes),
    [TUNABLE_WORD] = OPENCL_WORD_TUNABLE,
};

static bool is_cpu(const opencl_context *context)
{
    return (context->type & CL_DEVICE_TYPE_CPU) != 0;
}

/* For n > 0. */
static void choose_chunks(chunked *self, const scan_problem *problem)
{
    const opencl_context *context = self->base.context;
    const uint64_t bytes = problem->n * scan_result_bytes(problem);
    const bool cpu = is_cpu(context);
    const uint64_t units = (uint64_t)context->compute_units;
    const uint64_t asked = (uint64_t)problem->tunables[TUNABLE_CHUNK] * KIB;
    const uint64_t most_groups = !cpu                     ? units * GPU_GROUPS_PER_UNIT
                                 : bytes < CPU_TEAM_BYTES ? 1
                                                          : units;
    uint64_t chunk = cpu ? (uint64_t)CPU_CHUNK_KIB * KIB : UINT64_MAX;
    if (asked > 0)
        chunk = asked;
    if (cpu)
        chunk = opencl_between(CPU_LEAST_BYTES, bytes / CPU_CHUNKS, chunk);
    else
        chunk = opencl_between(PAGE_BYTES, bytes / (most_groups * GPU_CHUNKS), chunk);
    self->length = opencl_divide_up(chunk, PAGE_BYTES) * (PAGE_BYTES / scan_result_bytes(problem));
    self->chunks = (cl_uint)opencl_divide_up(problem->n, self->length > 0 ? self->length : 1);
    self->groups = (cl_uint)opencl_between(1, self->chunks, most_groups);
}

static scan_status make_kernel(opencl_chained *self, const scan_problem *problem)
{
    const bool around = problem->n * scan_result_bytes(problem) >= FAR_BYTES;
    char words[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_words_options(self->context, problem, problem->tunables[TUNABLE_WORD], words);
    snprintf(options, sizeof options, "%.140s -D INCLUSIVE=%d -D AROUND=%d -D PATIENCE=%d", words,
             problem->kind == SCAN_KIND_INCLUSIVE, around, PATIENCE);
    const char *const sources[] = {opencl_scan_ops, opencl_status_words, chunked_cl};
    cl_program program = NULL;
    const scan_status status = opencl_build(self->context, sources, 3, options, &program);
    if (status != SCAN_OK)
        return status;
    return opencl_kernel(self->context, program, "chunked", &self->kernel);
}

static scan_status enqueue(opencl_chained *base, opencl_run *run, cl_mem in, cl_mem out, cl_ulong n)
{
    const chunked *self = (const chunked *)base;
    const cl_uint chunks = n > 0 ? self->chunks : 0;
    opencl_words *words = &base->words;
    scan_status status = opencl_words_next(words, run, chunks + 2 * self->groups);
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(in),     OPENCL_ARGUMENT(out),
                                         OPENCL_ARGUMENT(n),      OPENCL_ARGUMENT(self->length),
                                         OPENCL_ARGUMENT(chunks), OPENCL_WORDS_ARGUMENTS(*words)};
    const opencl_launch launch = {base->kernel, "kernel:chunked", self->groups, 1, 9, arguments};
    return status == SCAN_OK ? opencl_run_kernel(run, &launch) : status;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)host;
    (void)plugin;
    const scan_status status = opencl_check_dtype(context, problem);
    return status == SCAN_OK ? opencl_words_check(context, problem->tunables[TUNABLE_WORD])
                             : status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    chunked *self = host->allocate(host, sizeof *self, _Alignof(chunked));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (chunked){.base = {.context = context, .n = problem->n, .enqueue = enqueue}};
    if (problem->n > 0)
        choose_chunks(self, problem);
    scan_status status = make_kernel(&self->base, problem);
    if (status == SCAN_OK)
        status = opencl_chained_prepare(&self->base, problem, problem->tunables[TUNABLE_WORD],
                                        self->chunks);
    if (status != SCAN_OK) {
        opencl_chained_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static const scan_plugin opencl_chunked = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "opencl_chunked",
    .name = "Chained chunks in OpenCL",
    .version = "2.0",
    .summary = "for CPUs: chunks in L2, a later one is reduced while this one is scanned",
    .reference = "the fallback: Smith, Levien and Owens, Decoupled Fallback: A Portable "
                 "Single-Pass GPU Scan, SPAA 2025",
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    OPENCL_BACKEND,
    .supports = supports,
    .create = create,
    .run = opencl_chained_run,
    .destroy = opencl_chained_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&opencl_chunked);
