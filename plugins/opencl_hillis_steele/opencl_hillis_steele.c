/*
 * opencl_hillis_steele.c - the scan in log2(block) steps with two local buffers
 *
 * The kernel and its source are in hillis_steele.cl, the joining of tiles in
 * opencl_tiles.c. Work O(n log block); the input is read once and the output
 * written once, and each level above the first moves 1/block of the one below.
 */
#include "opencl_scan.h"

#include "hillis_steele.cl.h"

static const scan_tunable block_tunable = {
    .struct_size = sizeof(scan_tunable),
    .name = "block",
    .summary = "work-items per work-group and elements per tile, any number",
    .default_value = 256,
    .min = 1,
    .max = 16384,
};

static const scan_tunable *const tunables[] = {&block_tunable, NULL};

static opencl_tile_method choose_method(const scan_problem *problem)
{
    const uint64_t block = (uint64_t)problem->tunables[0];
    return (opencl_tile_method){.source = hillis_steele_cl,
                                .options = "",
                                .block = block,
                                .tile = block,
                                .local_elements = 2 * block};
}

static scan_status supports(const scan_host *host, void *context, const scan_problem *problem)
{
    (void)host;
    const opencl_tile_method method = choose_method(problem);
    return opencl_tiles_supports(context, problem, &method);
}

static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    (void)host;
    const opencl_tile_method method = choose_method(problem);
    return opencl_tiles_create(context, problem, &method, self_p);
}

static const scan_plugin opencl_hillis_steele = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .kinds = SCAN_KINDS_BOTH,
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .id = "opencl_hillis_steele",
    .name = "Hillis-Steele in OpenCL",
    .version = "1.0",
    .summary = "log2(block) steps, each combining with the element 2^d to the left",
    .reference = "Hillis, Steele, Data parallel algorithms, CACM 29(12), 1986",
    .backend = "opencl",
    .tunables = tunables,
    .memory = &opencl_memory,
    .probe = opencl_probe,
    .supports = supports,
    .create = create,
    .run = opencl_tiles_run,
    .destroy = opencl_tiles_destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_hillis_steele);
