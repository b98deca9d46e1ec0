/*
 * opencl_lookback.c - the chained scan with decoupled look-back and decoupled fallback, in one
 * launch
 *
 * lookback.cl has the kernel and its literature, status_words.cl what tiles say to each other.
 * Here: the size of tiles and the launch. Nothing is cleared between runs, which are told apart by
 * numbers (opencl_words.h).
 */
#include "opencl_chained.h"

#include "lookback.cl.h"

#include <stdio.h>

enum { TUNABLE_BLOCK, TUNABLE_ROWS, TUNABLE_WORD, TUNABLE_GROUPS, TUNABLE_REGISTERS };
enum { VECTOR_BYTES = 16, MOST_ROWS = 8, MOST_ROWS_OF_CPU = 4 };

/* Looks in vain before a work-group computes what it waits for: on a GPU about a millisecond, in
 * which every work-group that runs has long published its total. */
enum { PATIENCE = 512 };

typedef struct lookback {
    opencl_chained base; /* first, because the slots get its address */
    cl_uint tiles;
    cl_uint inclusive;
    size_t block;
} lookback;

static const int64_t block_sizes[] = {16, 128, 256, 512, 1024};
static const int64_t row_counts[] = {0, 1, 4, MOST_ROWS};
static const int64_t register_counts[] = {0, 40, 48};

static const scan_tunable tunables[] = {
    [TUNABLE_BLOCK] = SCAN_TUNABLE_LIST("block", "work-items per work-group", 256, block_sizes),
    [TUNABLE_ROWS] =
        SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per work-item; 0: by n", 0, row_counts),
    [TUNABLE_WORD] = OPENCL_WORD_TUNABLE,
    [TUNABLE_GROUPS] = OPENCL_SUB_GROUPS_TUNABLE,
    [TUNABLE_REGISTERS] = SCAN_TUNABLE_LIST(
        "registers", "per work-item at most, where the compiler is NVIDIA's; 0: as it chooses", 0,
        register_counts),
};

static uint64_t tile_elements(const scan_problem *problem, uint64_t rows)
{
    return (uint64_t)problem->tunables[TUNABLE_BLOCK] * rows * VECTOR_BYTES /
           problem->element_bytes;
}

/* As many as are usual, or fewer so that every compute unit gets a tile. */
static uint64_t rows_for(const opencl_context *context, const scan_problem *problem)
{
    uint64_t rows = (uint64_t)problem->tunables[TUNABLE_ROWS];
    if (rows > 0)
        return rows;
    rows = (context->type & CL_DEVICE_TYPE_CPU) != 0 ? MOST_ROWS_OF_CPU : MOST_ROWS;
    while (rows > 1 && problem->n / tile_elements(problem, rows) < context->compute_units)
        rows /= 2;
    return rows;
}

static uint64_t tile_count(const opencl_context *context, const scan_problem *problem)
{
    return opencl_divide_up(problem->n, tile_elements(problem, rows_for(context, problem)));
}

static uint32_t sub_groups(opencl_context *context, const scan_problem *problem)
{
    if (problem->tunables[TUNABLE_GROUPS] == 0)
        return 0;
    return opencl_sub_group_width(context, (uint64_t)problem->tunables[TUNABLE_BLOCK]);
}

/* What lookback.cl has in local memory, but for a few numbers. */
static uint64_t local_bytes(opencl_context *context, const scan_problem *problem)
{
    const uint64_t block = (uint64_t)problem->tunables[TUNABLE_BLOCK];
    const uint64_t stage = (rows_for(context, problem) + 1) * VECTOR_BYTES;
    const uint32_t width = sub_groups(context, problem);
    const uint64_t exchanged = width > 0 ? block / width : 2 * block;
    return block * stage + exchanged * opencl_held_bytes(problem);
}

static scan_status check_limits(opencl_context *context, const scan_problem *problem)
{
    const scan_host *host = context->host;
    if (problem->tunables[TUNABLE_REGISTERS] > 0 &&
        !opencl_has_extension(context->device, "cl_nv_compiler_options"))
        return host->fail(
            host, SCAN_UNSUPPORTED,
            "registers %d: only NVIDIA's compiler can be told (cl_nv_compiler_options)",
            (int)problem->tunables[TUNABLE_REGISTERS]);
    const uint64_t block = (uint64_t)problem->tunables[TUNABLE_BLOCK];
    if (local_bytes(context, problem) > context->local_bytes)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "block %llu and %llu rows take %llu bytes of local memory, the device "
                          "has %llu",
                          (unsigned long long)block, (unsigned long long)rows_for(context, problem),
                          (unsigned long long)local_bytes(context, problem),
                          (unsigned long long)context->local_bytes);
    if (tile_count(context, problem) > OPENCL_MOST_GROUPS)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "%llu elements are more than %llu tiles; use a larger block or more rows",
                          (unsigned long long)problem->n, (unsigned long long)OPENCL_MOST_GROUPS);
    return SCAN_OK;
}

static scan_status make_kernel(opencl_context *context, const scan_problem *problem,
                               cl_kernel *kernel_p)
{
    char words[OPENCL_MAX_OPTIONS];
    char limit[32] = "";
    char options[OPENCL_MAX_OPTIONS];
    opencl_words_options(context, problem, problem->tunables[TUNABLE_WORD], words);
    if (problem->tunables[TUNABLE_REGISTERS] > 0)
        snprintf(limit, sizeof limit, " -cl-nv-maxrregcount=%d",
                 (int)problem->tunables[TUNABLE_REGISTERS]);
    snprintf(options, sizeof options,
             "%.100s -D BLOCK=%d -D ROWS=%d -D PATIENCE=%d -D SUB_GROUPS=%u%s", words,
             (int)problem->tunables[TUNABLE_BLOCK], (int)rows_for(context, problem), PATIENCE,
             sub_groups(context, problem), limit);
    const char *const sources[] = {opencl_scan_ops, opencl_vectors, opencl_status_words,
                                   opencl_sub_groups, lookback_cl};
    cl_program program = NULL;
    const scan_status status = opencl_build(context, sources, 5, options, &program);
    return status == SCAN_OK ? opencl_kernel(context, program, "lookback", kernel_p) : status;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)host;
    (void)plugin;
    scan_status status = opencl_check_dtype(context, problem);
    if (status == SCAN_OK)
        status = opencl_words_check(context, problem->tunables[TUNABLE_WORD]);
    if (status == SCAN_OK)
        status = opencl_check_block(context, (uint64_t)problem->tunables[TUNABLE_BLOCK]);
    if (status == SCAN_OK)
        status = check_limits(context, problem);
    cl_kernel kernel = NULL;
    if (status == SCAN_OK)
        status = make_kernel(context, problem, &kernel);
    if (status != SCAN_OK)
        return status;
    status =
        opencl_check_kernel(context, kernel, "lookback", (size_t)problem->tunables[TUNABLE_BLOCK]);
    clReleaseKernel(kernel);
    return status;
}

/* Enqueues as many work-groups without elements, too: some runtimes compile again for a larger
 * launch. */
static scan_status enqueue(opencl_chained *base, opencl_run *run, cl_mem in, cl_mem out, cl_ulong n)
{
    const lookback *self = (const lookback *)base;
    opencl_words *words = &base->words;
    scan_status status = opencl_words_next(words, run, self->tiles);
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(in), OPENCL_ARGUMENT(out),
                                         OPENCL_ARGUMENT(n), OPENCL_ARGUMENT(self->inclusive),
                                         OPENCL_WORDS_ARGUMENTS(*words)};
    const opencl_launch launch = {base->kernel, "kernel:lookback", self->tiles, self->block, 8,
                                  arguments};
    return status == SCAN_OK ? opencl_run_kernel(run, &launch) : status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *opaque,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    opencl_context *context = opaque;
    lookback *self = host->allocate(host, sizeof *self, _Alignof(lookback));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (lookback){.base = {.context = context, .n = problem->n, .enqueue = enqueue},
                       .tiles = (cl_uint)tile_count(context, problem),
                       .inclusive = problem->kind == SCAN_KIND_INCLUSIVE,
                       .block = (size_t)problem->tunables[TUNABLE_BLOCK]};
    scan_status status = make_kernel(context, problem, &self->base.kernel);
    if (status == SCAN_OK)
        status = opencl_chained_prepare(&self->base, problem, problem->tunables[TUNABLE_WORD],
                                        self->tiles);
    if (status != SCAN_OK) {
        opencl_chained_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static const scan_plugin opencl_lookback = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "opencl_lookback",
    .name = "Decoupled look-back and fallback in OpenCL",
    .version = "1.0",
    .summary = "one pass; a tile that waits in vain for a total computes it itself",
    .reference = "Merrill and Garland, NVR-2016-002; Smith, Levien and Owens, Decoupled Fallback: "
                 "A Portable Single-Pass GPU Scan, SPAA 2025",
    /* Which totals and prefixes are added up depends on the timing, and so float sums do. */
    .flags = SCAN_FLAG_NONDETERMINISTIC,
    .tile = 4096, /* of 4 bytes in four rows; a quarter of 1 byte, two of 8 */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    OPENCL_BACKEND,
    .supports = supports,
    .create = create,
    .run = opencl_chained_run,
    .destroy = opencl_chained_destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_lookback);
