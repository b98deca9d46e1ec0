/*
 * opencl_tiles.c - a scan of any length out of scans of one tile
 *
 * Each work-group scans its tile and leaves the tile's total. The totals are
 * scanned by the same kernel, their totals again, until one tile holds them all;
 * then, from the top down, add_carry puts each scanned total before the elements
 * of its tile. n elements in tiles of t take log_t(n) levels.
 */
#include "opencl_scan.h"

#include "add_carry.cl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 64 }; /* tiles of two and n = 2^64 */

/* Where runtimes end: the largest grid of CUDA devices, and of 32-bit counters. */
static const uint64_t most_groups = INT32_MAX;

/* As many work-groups tell a runtime that specialises kernels by the size of the
 * grid, as PoCL does, that the grid is a large one. */
static const uint64_t large_grid = 65536;

typedef struct tiles {
    opencl_context *context;
    cl_kernel scan_tile;
    cl_kernel add_carry;
    size_t block;
    uint64_t tile;
    cl_uint inclusive;
    uint32_t depth;               /* levels; 0 for no elements */
    uint64_t lengths[MAX_LEVELS]; /* elements on each level; the first has n */
    cl_mem totals[MAX_LEVELS];    /* of the tiles of each level: the next one's input */
} tiles;

static uint64_t tile_count(uint64_t n, uint64_t tile)
{
    return n / tile + (n % tile != 0);
}

static scan_status check_limits(const opencl_context *context, const scan_problem *problem,
                                const opencl_tile_method *method)
{
    const scan_host *host = context->host;
    const uint64_t local_bytes = method->local_elements * problem->element_bytes;
    if (method->block > context->max_block)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "block %llu is more than the %zu work-items the device takes",
                          (unsigned long long)method->block, context->max_block);
    if (local_bytes > context->local_bytes)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "a tile of %llu elements takes %llu bytes of local memory, the device "
                          "has %llu",
                          (unsigned long long)method->tile, (unsigned long long)local_bytes,
                          (unsigned long long)context->local_bytes);
    if (method->tile < 2 && problem->n > 1)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "a tile of one element leaves as many totals as there were elements; "
                          "use a larger block");
    if (tile_count(problem->n, method->tile) > most_groups)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "%llu elements are more than %llu tiles of %llu; use a larger block",
                          (unsigned long long)problem->n, (unsigned long long)most_groups,
                          (unsigned long long)method->tile);
    return SCAN_OK;
}

/* On success the caller releases both kernels. */
static scan_status make_kernels(opencl_context *context, const opencl_tiles_plugin *plugin,
                                const scan_problem *problem, const opencl_tile_method *method,
                                cl_kernel *scan_tile_p, cl_kernel *add_carry_p)
{
    char words[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_scan_options(problem, words);
    snprintf(options, sizeof options, "%.120s -D BLOCK=%llu -D TILE=%llu %s", words,
             (unsigned long long)method->block, (unsigned long long)method->tile,
             method->options ? method->options : "");
    /* So that compilers count lines as their authors do. */
    const char *const sources[] = {"#line 1 \"scan_ops.cl\"\n",    opencl_scan_ops,
                                   "\n#line 1 \"scan_tile\"\n",    plugin->source,
                                   "\n#line 1 \"add_carry.cl\"\n", add_carry_cl};
    cl_program program = NULL;
    cl_kernel scan_tile = NULL;
    scan_status status = opencl_build(context, sources, 6, options, &program);
    if (status == SCAN_OK)
        status = opencl_kernel(context, program, "scan_tile", &scan_tile);
    if (status != SCAN_OK)
        return status;
    status = opencl_kernel(context, program, "add_carry", add_carry_p);
    if (status != SCAN_OK) {
        clReleaseKernel(scan_tile);
        return status;
    }
    *scan_tile_p = scan_tile;
    return SCAN_OK;
}

/* The plugin whose first member is `plugin`. */
static const opencl_tiles_plugin *tiles_plugin(const scan_plugin *plugin)
{
    return (const opencl_tiles_plugin *)plugin;
}

scan_status opencl_tiles_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                  const scan_problem *problem)
{
    const opencl_tiles_plugin *self = tiles_plugin(plugin);
    opencl_tile_method method = {0};
    scan_status status = opencl_check_dtype(context, problem);
    if (status == SCAN_OK)
        status = self->choose(host, plugin, problem, &method);
    if (status == SCAN_OK)
        status = check_limits(context, problem, &method);
    if (status != SCAN_OK)
        return status;
    cl_kernel scan_tile = NULL;
    cl_kernel add_carry = NULL;
    status = make_kernels(context, self, problem, &method, &scan_tile, &add_carry);
    if (status != SCAN_OK)
        return status;
    status = opencl_check_kernel(context, scan_tile, "scan_tile", (size_t)method.block);
    if (status == SCAN_OK)
        status = opencl_check_kernel(context, add_carry, "add_carry", (size_t)method.block);
    clReleaseKernel(add_carry);
    clReleaseKernel(scan_tile);
    return status;
}

static scan_status make_levels(tiles *self, const scan_problem *problem)
{
    const uint64_t element_bytes = problem->element_bytes;
    uint64_t length = problem->n;
    bool more = length > 0;
    while (more && self->depth < MAX_LEVELS) {
        const uint64_t count = tile_count(length, self->tile);
        scan_status status = opencl_allocate(self->context, "tile totals", count * element_bytes,
                                             &self->totals[self->depth]);
        if (status != SCAN_OK)
            return status;
        self->lengths[self->depth++] = length;
        length = count;
        more = count > 1;
    }
    return SCAN_OK;
}

static scan_status scan_level(const tiles *self, opencl_run *run, uint32_t level, cl_mem in,
                              cl_mem out, cl_ulong n, uint64_t groups)
{
    const cl_mem totals = self->totals[level];
    const cl_uint inclusive = level == 0 ? self->inclusive : 0;
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(in), OPENCL_ARGUMENT(out),
                                         OPENCL_ARGUMENT(totals), OPENCL_ARGUMENT(n),
                                         OPENCL_ARGUMENT(inclusive)};
    scan_status status =
        opencl_set_arguments(self->context, self->scan_tile, "scan_tile", arguments, 5);
    if (status != SCAN_OK)
        return status;
    return opencl_run_kernel(run, self->scan_tile, "kernel:scan_tile", groups, self->block);
}

static scan_status carry_level(const tiles *self, opencl_run *run, uint32_t level, cl_mem out,
                               cl_ulong n, uint64_t groups)
{
    const cl_mem carries = self->totals[level];
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(out), OPENCL_ARGUMENT(carries),
                                         OPENCL_ARGUMENT(n)};
    scan_status status =
        opencl_set_arguments(self->context, self->add_carry, "add_carry", arguments, 3);
    if (status != SCAN_OK)
        return status;
    return opencl_run_kernel(run, self->add_carry, "kernel:add_carry", groups, self->block);
}

static scan_status enqueue(const tiles *self, opencl_run *run, cl_mem in, cl_mem out)
{
    scan_status status = SCAN_OK;
    for (uint32_t level = 0; level < self->depth && status == SCAN_OK; level++) {
        const cl_mem from = level == 0 ? in : self->totals[level - 1];
        const cl_mem to = level == 0 ? out : self->totals[level - 1];
        status = scan_level(self, run, level, from, to, self->lengths[level],
                            tile_count(self->lengths[level], self->tile));
    }
    for (uint32_t above = self->depth; above-- > 1 && status == SCAN_OK;) {
        const uint32_t level = above - 1;
        const cl_mem to = level == 0 ? out : self->totals[level - 1];
        status = carry_level(self, run, level, to, self->lengths[level],
                             tile_count(self->lengths[level], self->tile));
    }
    return status;
}

/* Some runtimes compile a kernel when it is first launched: do that here, with no
 * elements, and not in the first run. */
static scan_status compile_early(const tiles *self)
{
    if (self->depth == 0)
        return SCAN_OK;
    const cl_mem any = self->totals[0];
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self->context);
    scan_status status = SCAN_OK;
    for (uint32_t level = 0; level < self->depth && status == SCAN_OK; level++) {
        const uint64_t all = tile_count(self->lengths[level], self->tile);
        const uint64_t groups = all < large_grid ? all : large_grid;
        status = scan_level(self, &run, level, any, any, 0, groups);
        if (status == SCAN_OK && level + 1 < self->depth)
            status = carry_level(self, &run, level, any, 0, groups);
    }
    return opencl_run_end(&run, status);
}

scan_status opencl_tiles_create(const scan_host *host, const scan_plugin *plugin, void *context,
                                const scan_problem *problem, void **self_p)
{
    const opencl_tiles_plugin *tiles_of = tiles_plugin(plugin);
    opencl_tile_method method = {0};
    scan_status status = tiles_of->choose(host, plugin, problem, &method);
    if (status != SCAN_OK)
        return status;
    tiles *self = host->allocate(host, sizeof *self, _Alignof(tiles));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (tiles){.context = context,
                    .block = (size_t)method.block,
                    .tile = method.tile,
                    .inclusive = problem->kind == SCAN_KIND_INCLUSIVE};
    status = make_kernels(context, tiles_of, problem, &method, &self->scan_tile, &self->add_carry);
    if (status == SCAN_OK)
        status = make_levels(self, problem);
    if (status == SCAN_OK)
        status = compile_early(self);
    if (status != SCAN_OK) {
        opencl_tiles_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

scan_status opencl_tiles_run(void *instance, scan_buffer in, scan_buffer out)
{
    const tiles *self = instance;
    if (self->depth == 0)
        return SCAN_OK;
    opencl_run run;
    opencl_run_begin(&run, self->context);
    return opencl_run_end(&run, enqueue(self, &run, opencl_mem(in), opencl_mem(out)));
}

void opencl_tiles_destroy(void *instance)
{
    tiles *self = instance;
    for (uint32_t level = self->depth; level-- > 0;)
        clReleaseMemObject(self->totals[level]);
    if (self->add_carry)
        clReleaseKernel(self->add_carry);
    if (self->scan_tile)
        clReleaseKernel(self->scan_tile);
    self->context->host->release(self->context->host, self);
}
