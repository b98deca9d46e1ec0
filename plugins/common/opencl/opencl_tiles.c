/*
 * opencl_tiles.c - builds a scan of any length from scans of one tile
 *
 * Each work-group scans its tile and leaves the tile's total. The same kernel scans the totals,
 * then their totals, until one tile holds them all; then, from the top down, add_carry combines
 * each scanned total with the elements of its tile. n elements in tiles of t take log_t(n) levels.
 */
#include "opencl_scan.h"

#include "add_carry.cl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 64 }; /* tiles of two and n = 2^64 */

/* That a GPU's compute unit runs side by side. */
static const uint64_t work_items_per_unit = 2048;

/* Accesses of 16 bytes that each work-item of add_carry makes. */
static const uint64_t carry_vectors = 4;

typedef struct tiles {
    opencl_context *context;
    cl_program program; /* the context's */
    cl_kernel scan_tile;
    cl_kernel add_carry;
    size_t block;
    uint64_t tile;
    uint64_t carry_tiles; /* that a work-group of add_carry takes */
    uint64_t most_groups; /* of scan_tile */
    cl_uint inclusive;
    uint32_t depth;               /* levels; 0 for no elements */
    uint64_t lengths[MAX_LEVELS]; /* elements on each level; the first has n */
    cl_mem totals[MAX_LEVELS];    /* totals of each level's tiles: the input of the next level */
} tiles;

static scan_status check_limits(const opencl_context *context, const scan_problem *problem,
                                const opencl_tile_method *method)
{
    const scan_host *host = context->host;
    const uint64_t local_bytes = method->local_elements * problem->element_bytes;
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
    if (opencl_divide_up(problem->n, method->tile) > OPENCL_MOST_GROUPS)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "%llu elements are more than %llu tiles of %llu; use a larger block",
                          (unsigned long long)problem->n, (unsigned long long)OPENCL_MOST_GROUPS,
                          (unsigned long long)method->tile);
    return SCAN_OK;
}

/* As many tiles as give each work-item its accesses. */
static uint64_t carry_tiles(const scan_problem *problem, const opencl_tile_method *method)
{
    const uint64_t elements = method->block * carry_vectors * 16 / problem->element_bytes;
    return elements > method->tile ? elements / method->tile : 1;
}

/* A GPU's work-groups stay and go from tile to tile; a CPU runs one after the other anyway. */
static bool strides(const opencl_context *context, const opencl_tile_method *method)
{
    return method->strides && (context->type & CL_DEVICE_TYPE_CPU) == 0;
}

static uint64_t most_scan_groups(const opencl_context *context, const opencl_tile_method *method)
{
    if (!strides(context, method))
        return OPENCL_MOST_GROUPS;
    const uint64_t of_unit = work_items_per_unit / method->block;
    return context->compute_units * (of_unit > 0 ? of_unit : 1);
}

/* Sets `program` and the kernels of *made, as far as it gets. */
static scan_status make_kernels(opencl_context *context, const opencl_tiles_plugin *plugin,
                                const scan_problem *problem, const opencl_tile_method *method,
                                tiles *made)
{
    char words[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_scan_options(problem, words);
    snprintf(options, sizeof options,
             "%.120s -D BLOCK=%llu -D TILE=%llu -D CARRY_TILES=%llu "
             "-D STRIDES=%d -D SUB_GROUPS=%u %s",
             words, (unsigned long long)method->block, (unsigned long long)method->tile,
             (unsigned long long)carry_tiles(problem, method), strides(context, method),
             method->sub_groups ? opencl_sub_group_width(context, method->block) : 0,
             method->options ? method->options : "");
    /* Gives compilers the line numbers of the source files. */
    const char *const sources[] = {"#line 1 \"scan_ops.cl\"\n",     opencl_scan_ops,
                                   "\n#line 1 \"vectors.cl\"\n",    opencl_vectors,
                                   "\n#line 1 \"sub_groups.cl\"\n", opencl_sub_groups,
                                   "\n#line 1 \"scan_tile\"\n",     plugin->source,
                                   "\n#line 1 \"add_carry.cl\"\n",  add_carry_cl};
    scan_status status = opencl_build(context, sources, 10, options, &made->program);
    if (status == SCAN_OK)
        status = opencl_kernel(context, made->program, "scan_tile", &made->scan_tile);
    if (status == SCAN_OK)
        status = opencl_kernel(context, made->program, "add_carry", &made->add_carry);
    return status;
}

static void release_kernels(const tiles *made)
{
    if (made->add_carry)
        clReleaseKernel(made->add_carry);
    if (made->scan_tile)
        clReleaseKernel(made->scan_tile);
}

/* The opencl_tiles_plugin whose first member is `plugin`. */
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
        status = opencl_check_block(context, method.block);
    if (status == SCAN_OK)
        status = check_limits(context, problem, &method);
    if (status != SCAN_OK)
        return status;
    tiles made = {.context = context};
    status = make_kernels(context, self, problem, &method, &made);
    if (status == SCAN_OK)
        status = opencl_check_kernel(context, made.scan_tile, "scan_tile", (size_t)method.block);
    if (status == SCAN_OK)
        status = opencl_check_kernel(context, made.add_carry, "add_carry", (size_t)method.block);
    release_kernels(&made);
    return status;
}

static scan_status make_levels(tiles *self, const scan_problem *problem)
{
    const uint64_t element_bytes = problem->element_bytes;
    uint64_t length = problem->n;
    bool more = length > 0;
    while (more && self->depth < MAX_LEVELS) {
        const uint64_t count = opencl_divide_up(length, self->tile);
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

/* One level of the scan, which may be empty. */
typedef struct level {
    cl_mem in;
    cl_mem out;
    cl_mem totals; /* of its tiles */
    cl_ulong n;
    cl_uint inclusive;
    uint64_t tiles;
} level;

static level find_level(const tiles *self, uint32_t index, cl_mem in, cl_mem out)
{
    return (level){.in = index == 0 ? in : self->totals[index - 1],
                   .out = index == 0 ? out : self->totals[index - 1],
                   .totals = self->totals[index],
                   .n = self->lengths[index],
                   .inclusive = index == 0 ? self->inclusive : 0,
                   .tiles = opencl_divide_up(self->lengths[index], self->tile)};
}

static scan_status scan_level(const tiles *self, opencl_run *run, level l)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(l.in), OPENCL_ARGUMENT(l.out),
                                         OPENCL_ARGUMENT(l.totals), OPENCL_ARGUMENT(l.n),
                                         OPENCL_ARGUMENT(l.inclusive)};
    const uint64_t groups = l.tiles < self->most_groups ? l.tiles : self->most_groups;
    const opencl_launch launch = {self->scan_tile, "kernel:scan_tile", groups, self->block, 5,
                                  arguments};
    return opencl_run_kernel(run, &launch);
}

static scan_status carry_level(const tiles *self, opencl_run *run, level l)
{
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(l.out), OPENCL_ARGUMENT(l.totals),
                                         OPENCL_ARGUMENT(l.n)};
    const uint64_t groups = opencl_divide_up(l.tiles, self->carry_tiles);
    const opencl_launch launch = {self->add_carry, "kernel:add_carry", groups, self->block, 3,
                                  arguments};
    return opencl_run_kernel(run, &launch);
}

static scan_status enqueue(void *instance, opencl_run *run, cl_mem in, cl_mem out)
{
    const tiles *self = instance;
    scan_status status = SCAN_OK;
    for (uint32_t index = 0; index < self->depth && status == SCAN_OK; index++)
        status = scan_level(self, run, find_level(self, index, in, out));
    for (uint32_t above = self->depth; above-- > 1 && status == SCAN_OK;)
        status = carry_level(self, run, find_level(self, above - 1, in, out));
    return status;
}

/* Some runtimes compile a kernel when it is first launched. Does that here, with no elements,
 * instead of in the first run. Once per context is enough. */
static scan_status compile_early(const tiles *self, uint32_t element_bytes)
{
    bool *launched = opencl_launched(self->context, self->program);
    if (*launched || self->depth == 0)
        return SCAN_OK;
    const uint64_t groups = opencl_divide_up(opencl_first_grid(self->context->device), self->block);
    cl_mem scratch = NULL;
    scan_status status =
        opencl_allocate(self->context, "a first launch", groups * element_bytes, &scratch);
    if (status != SCAN_OK)
        return status;
    const level nothing = {
        .in = scratch, .out = scratch, .totals = scratch, .n = 0, .tiles = groups};
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self->context);
    status = scan_level(self, &run, nothing);
    if (status == SCAN_OK)
        status = carry_level(self, &run, nothing);
    status = opencl_run_end(&run, status);
    clReleaseMemObject(scratch);
    *launched = status == SCAN_OK;
    return status;
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
                    .carry_tiles = carry_tiles(problem, &method),
                    .most_groups = most_scan_groups(context, &method),
                    .inclusive = problem->kind == SCAN_KIND_INCLUSIVE};
    status = make_kernels(context, tiles_of, problem, &method, self);
    if (status == SCAN_OK)
        status = make_levels(self, problem);
    if (status == SCAN_OK)
        status = compile_early(self, problem->element_bytes);
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
    const opencl_commands commands = {.self = instance, .enqueue = enqueue};
    return self->depth == 0 ? SCAN_OK : opencl_run_commands(self->context, &commands, in, out);
}

void opencl_tiles_destroy(void *instance)
{
    tiles *self = instance;
    while (self->depth > 0)
        clReleaseMemObject(self->totals[--self->depth]);
    release_kernels(self);
    self->context->host->release(self->context->host, self);
}
