/*
 * opencl_rows.c - scans of many rows, of any length
 *
 * rows.cl has the kernels and their literature. Where there are many rows, a work-group scans a
 * share of whole ones: each element is read and written once. Where there are few long ones, they
 * are cut into pieces so that all compute units work: totals of pieces, a scan of the totals, and a
 * scan of each piece, which reads the elements twice.
 */
#include "opencl_scan.h"

#include "rows.cl.h"

#include <stdio.h>

enum { TUNABLE_BLOCK, TUNABLE_VT };
enum { DEFAULT_BLOCK = 256, DEFAULT_VT = 8 };
enum { KIB = 1024 };

/* Shares for each compute unit, so that one that falls behind does not hold up the rest; a share
 * has so many bytes at least that it is worth handing out. Long rows are cut into pieces where a
 * GPU has fewer of them for each unit, or where a CPU's units would be idle for more than one part
 * in so many of their time. */
enum { SHARES_PER_UNIT = 16, LEAST_BYTES = 16 * KIB, ROWS_PER_UNIT = 4, IDLE_PART = 8 };
/* Outputs of more bytes are stored around a CPU's caches. */
#define FAR_BYTES ((uint64_t)8192 * KIB)
/* Pieces begin at lines of a CPU's cache, and so do shares of many rows. */
enum { LINE_BYTES = 64 };

typedef struct rows_scan {
    opencl_context *context;
    cl_kernel reduce_pieces, scan_totals, scan_rows;
    size_t block;
    cl_ulong rows, n;
    cl_ulong length; /* elements of a share */
    cl_ulong pieces; /* of a row */
    uint64_t shares;
    cl_mem totals; /* of pieces; NULL for whole rows */
} rows_scan;

/* Which elements, and how they are shared. */
typedef struct portion {
    cl_mem in, out, carries;
    cl_ulong elements, n, length, pieces;
    uint64_t shares;
} portion;

static bool is_cpu(const opencl_context *context)
{
    return (context->type & CL_DEVICE_TYPE_CPU) != 0;
}

/* Are there enough rows that units which take whole ones are busy nearly all the time? */
static bool has_enough_rows(const rows_scan *self)
{
    const uint64_t units = self->context->compute_units, left = self->rows % units;
    if (!is_cpu(self->context))
        return self->rows >= units * ROWS_PER_UNIT;
    return left == 0 || (units - left) * IDLE_PART <= self->rows - left + units;
}

/* For at least one element. */
static void choose_shares(rows_scan *self, const scan_problem *problem)
{
    const uint64_t units = self->context->compute_units, wanted = units * SHARES_PER_UNIT;
    const uint64_t least = LEAST_BYTES / problem->element_bytes;
    const uint64_t even = opencl_divide_up(self->rows * self->n, wanted);
    const uint64_t target = even > least ? even : least;
    const uint64_t line = opencl_between(1, LINE_BYTES / problem->element_bytes, LINE_BYTES);
    self->pieces = 1;
    const uint64_t fit = opencl_between(1, target / self->n, self->rows);
    self->length = (fit > line ? fit / line * line : fit) * self->n;
    if (self->n > target && !has_enough_rows(self)) {
        self->length = opencl_divide_up(target, line) * line;
        self->pieces = opencl_divide_up(self->n, self->length);
    }
    self->shares = self->pieces > 1 ? self->rows * self->pieces
                                    : opencl_divide_up(self->rows * self->n, self->length);
}

static scan_status make_kernels(rows_scan *self, const scan_problem *problem)
{
    const uint64_t bytes = scan_elements(problem) * problem->element_bytes;
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    char words[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_scan_options(problem, words);
    if (is_cpu(self->context))
        snprintf(options, sizeof options,
                 "%.120s -D ALONE=1 -D BLOCK=1 -D AROUND=%d -D INCLUSIVE=%d", words,
                 bytes >= FAR_BYTES, inclusive);
    else
        snprintf(options, sizeof options, "%.120s -D ALONE=0 -D BLOCK=%d -D VT=%d -D INCLUSIVE=%d",
                 words, (int)problem->tunables[TUNABLE_BLOCK], (int)problem->tunables[TUNABLE_VT],
                 inclusive);
    const char *const sources[] = {opencl_scan_ops, rows_cl};
    cl_program program = NULL;
    scan_status status = opencl_build(self->context, sources, 2, options, &program);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, "reduce_pieces", &self->reduce_pieces);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, "scan_totals", &self->scan_totals);
    if (status == SCAN_OK)
        status = opencl_kernel(self->context, program, "scan_rows", &self->scan_rows);
    return status;
}

static void release_kernels(const rows_scan *self)
{
    if (self->scan_rows)
        clReleaseKernel(self->scan_rows);
    if (self->scan_totals)
        clReleaseKernel(self->scan_totals);
    if (self->reduce_pieces)
        clReleaseKernel(self->reduce_pieces);
}

static scan_status enqueue_reduce(const rows_scan *self, opencl_run *run, const portion *p)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(p->in),       OPENCL_ARGUMENT(p->carries),
                                         OPENCL_ARGUMENT(p->elements), OPENCL_ARGUMENT(p->n),
                                         OPENCL_ARGUMENT(p->length),   OPENCL_ARGUMENT(p->pieces)};
    const opencl_launch launch = {
        self->reduce_pieces, "kernel:reduce_pieces", p->shares, self->block, 6, arguments};
    return opencl_run_kernel(run, &launch);
}

static scan_status enqueue_scan(const rows_scan *self, opencl_run *run, const portion *p)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(p->in),      OPENCL_ARGUMENT(p->out),
                                         OPENCL_ARGUMENT(p->carries), OPENCL_ARGUMENT(p->elements),
                                         OPENCL_ARGUMENT(p->n),       OPENCL_ARGUMENT(p->length),
                                         OPENCL_ARGUMENT(p->pieces)};
    const opencl_launch launch = {self->scan_rows, "kernel:scan_rows", p->shares, self->block, 7,
                                  arguments};
    return opencl_run_kernel(run, &launch);
}

static scan_status enqueue_totals(const rows_scan *self, opencl_run *run, const portion *p)
{
    const uint64_t groups = p->elements > 0 ? self->rows : p->shares;
    const cl_ulong elements = p->elements > 0 ? self->rows * p->pieces : 0;
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(p->carries), OPENCL_ARGUMENT(elements),
                                         OPENCL_ARGUMENT(p->pieces)};
    const opencl_launch launch = {self->scan_totals, "kernel:scan_totals", groups, self->block, 3,
                                  arguments};
    return opencl_run_kernel(run, &launch);
}

static scan_status enqueue(void *instance, opencl_run *run, cl_mem in, cl_mem out)
{
    const rows_scan *self = instance;
    const portion all = {.in = in,
                         .out = out,
                         .carries = self->totals ? self->totals : in, /* or not read */
                         .elements = self->rows * self->n,
                         .n = self->n,
                         .length = self->length,
                         .pieces = self->pieces,
                         .shares = self->shares};
    scan_status status = SCAN_OK;
    if (self->pieces > 1) {
        status = enqueue_reduce(self, run, &all);
        if (status == SCAN_OK)
            status = enqueue_totals(self, run, &all);
    }
    return status == SCAN_OK ? enqueue_scan(self, run, &all) : status;
}

/* Some runtimes compile a kernel when it is first launched: does that here, with no elements. */
static scan_status launch_once(const rows_scan *self, uint32_t element_bytes)
{
    const uint64_t groups = opencl_divide_up(opencl_first_grid(self->context->device), self->block);
    cl_mem scratch = NULL;
    scan_status status =
        opencl_allocate(self->context, "a first launch", groups * element_bytes, &scratch);
    if (status != SCAN_OK)
        return status;
    const portion nothing = {
        .in = scratch, .out = scratch, .carries = scratch, .pieces = 1, .shares = groups};
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self->context);
    status = enqueue_reduce(self, &run, &nothing);
    if (status == SCAN_OK)
        status = enqueue_totals(self, &run, &nothing);
    if (status == SCAN_OK)
        status = enqueue_scan(self, &run, &nothing);
    status = opencl_run_end(&run, status);
    clReleaseMemObject(scratch);
    return status;
}

static size_t block_for(const opencl_context *context, const scan_problem *problem)
{
    return is_cpu(context) ? 1 : (size_t)problem->tunables[TUNABLE_BLOCK];
}

/* On a CPU block and vt change nothing: other values would be measured as other configurations. */
static scan_status check_setting(const opencl_context *context, const scan_problem *problem)
{
    if (!is_cpu(context) || (problem->tunables[TUNABLE_BLOCK] == DEFAULT_BLOCK &&
                             problem->tunables[TUNABLE_VT] == DEFAULT_VT))
        return SCAN_OK;
    return context->host->fail(context->host, SCAN_UNSUPPORTED,
                               "not on a CPU: leave block at %d and vt at %d", +DEFAULT_BLOCK,
                               +DEFAULT_VT);
}

/* A tile with its free slots, and two totals and two marks for each work-item. */
static scan_status check_local_memory(const opencl_context *context, const scan_problem *problem)
{
    const uint64_t block = (uint64_t)problem->tunables[TUNABLE_BLOCK];
    const uint64_t tile = block * (uint64_t)problem->tunables[TUNABLE_VT];
    const uint64_t bytes =
        (tile + (tile - 1) / 32 + 2 * block) * problem->element_bytes + 2 * block * sizeof(cl_uint);
    if (is_cpu(context) || bytes <= context->local_bytes)
        return SCAN_OK;
    return context->host->fail(context->host, SCAN_UNSUPPORTED,
                               "tiles of %llu elements take %llu bytes of local memory, the device "
                               "has %llu; use a smaller block or vt",
                               (unsigned long long)tile, (unsigned long long)bytes,
                               (unsigned long long)context->local_bytes);
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)host;
    (void)plugin;
    const size_t block = block_for(context, problem);
    scan_status status = opencl_check_dtype(context, problem);
    if (status == SCAN_OK)
        status = check_setting(context, problem);
    if (status == SCAN_OK)
        status = opencl_check_block(context, block);
    if (status == SCAN_OK)
        status = check_local_memory(context, problem);
    if (status != SCAN_OK)
        return status;
    rows_scan made = {.context = context};
    status = make_kernels(&made, problem);
    if (status == SCAN_OK)
        status = opencl_check_kernel(context, made.reduce_pieces, "reduce_pieces", block);
    if (status == SCAN_OK)
        status = opencl_check_kernel(context, made.scan_totals, "scan_totals", block);
    if (status == SCAN_OK)
        status = opencl_check_kernel(context, made.scan_rows, "scan_rows", block);
    release_kernels(&made);
    return status;
}

static void destroy(void *instance)
{
    rows_scan *self = instance;
    if (self->totals)
        clReleaseMemObject(self->totals);
    release_kernels(self);
    self->context->host->release(self->context->host, self);
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    rows_scan *self = host->allocate(host, sizeof *self, _Alignof(rows_scan));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (rows_scan){.context = context,
                        .block = block_for(context, problem),
                        .rows = scan_rows(problem),
                        .n = problem->n};
    scan_status status = make_kernels(self, problem);
    if (status == SCAN_OK && self->n > 0) {
        choose_shares(self, problem);
        status = launch_once(self, problem->element_bytes);
    }
    if (status == SCAN_OK && self->pieces > 1)
        status = opencl_allocate(context, "totals of pieces", self->shares * problem->element_bytes,
                                 &self->totals);
    if (status != SCAN_OK) {
        destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    const rows_scan *self = instance;
    const opencl_commands commands = {.self = instance, .enqueue = enqueue};
    return self->n == 0 ? SCAN_OK : opencl_run_commands(self->context, &commands, in, out);
}

static const scan_tunable tunables[] = {
    [TUNABLE_BLOCK] =
        SCAN_TUNABLE_RANGE("block", "work-items per work-group; not for CPUs, which take one",
                           DEFAULT_BLOCK, 1, 16384),
    [TUNABLE_VT] =
        SCAN_TUNABLE_RANGE("vt", "values per work-item in a tile; not for CPUs", DEFAULT_VT, 1, 64),
};

static const scan_plugin opencl_rows = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "opencl_rows",
    .name = "Rows in OpenCL",
    .version = "1.0",
    .summary = "a work-group takes several short rows, a row, or a piece of a long one",
    .reference = "segments: Sengupta, Harris, Zhang and Owens, Scan primitives for GPU computing, "
                 "Graphics Hardware 2007",
    .flags = SCAN_FLAG_ROWS,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1},
    SCAN_TUNABLES(tunables),
    OPENCL_BACKEND,
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_rows);
