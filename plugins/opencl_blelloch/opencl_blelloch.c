/*
 * opencl_blelloch.c - the work-efficient tree scan, two elements per work-item as
 * in GPU Gems 3 and one per work-item
 *
 * The kernel and its sources are in blelloch.cl, the joining of tiles in
 * opencl_tiles.c. Work O(n), O(log n) steps; the input is read once and the output
 * written once, and each level above the first moves 1/tile of the one below.
 */
#include "opencl_scan.h"

#include "blelloch.cl.h"

#include <stdio.h>

enum { TUNABLE_BLOCK, TUNABLE_PAD };

static const scan_tunable block_tunable = {
    .struct_size = sizeof(scan_tunable),
    .name = "block",
    .summary = "work-items per work-group, a power of two",
    .default_value = 256,
    .min = 1,
    .max = 16384,
};

static const int64_t pad_values[] = {0, 1};

static const scan_tunable pad_tunable = {
    .struct_size = sizeof(scan_tunable),
    .name = "pad",
    .summary = "1: an unused slot after every 32 in local memory, against bank conflicts",
    .default_value = 1,
    .min = 0,
    .max = 1,
    .values = pad_values,
    .value_count = 2,
};

static const scan_tunable *const tunables[] = {&block_tunable, &pad_tunable, NULL};

/* A method and the text it points to. */
typedef struct blelloch_method {
    opencl_tile_method method;
    char options[48];
} blelloch_method;

static void choose_method(const scan_problem *problem, uint32_t per_item, blelloch_method *chosen)
{
    const uint64_t block = (uint64_t)problem->tunables[TUNABLE_BLOCK];
    const uint64_t pad = (uint64_t)problem->tunables[TUNABLE_PAD];
    const uint64_t tile = block * per_item;
    snprintf(chosen->options, sizeof chosen->options, "-D PER_ITEM=%u -D PAD=%u", per_item,
             (unsigned)pad);
    chosen->method = (opencl_tile_method){
        .source = blelloch_cl,
        .options = chosen->options,
        .block = block,
        .tile = tile,
        .local_elements = tile + (pad ? (tile - 1) / 32 : 0),
    };
}

static scan_status supports(const scan_host *host, void *context, const scan_problem *problem,
                            uint32_t per_item)
{
    const uint64_t block = (uint64_t)problem->tunables[TUNABLE_BLOCK];
    if ((block & (block - 1)) != 0)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "block %llu is not a power of two, which the tree needs",
                          (unsigned long long)block);
    blelloch_method chosen = {.options = ""};
    choose_method(problem, per_item, &chosen);
    return opencl_tiles_supports(context, problem, &chosen.method);
}

static scan_status supports_two(const scan_host *host, void *context, const scan_problem *problem)
{
    return supports(host, context, problem, 2);
}

static scan_status supports_one(const scan_host *host, void *context, const scan_problem *problem)
{
    return supports(host, context, problem, 1);
}

static scan_status create_two(const scan_host *host, void *context, const scan_problem *problem,
                              void **self_p)
{
    (void)host;
    blelloch_method chosen = {.options = ""};
    choose_method(problem, 2, &chosen);
    return opencl_tiles_create(context, problem, &chosen.method, self_p);
}

static scan_status create_one(const scan_host *host, void *context, const scan_problem *problem,
                              void **self_p)
{
    (void)host;
    blelloch_method chosen = {.options = ""};
    choose_method(problem, 1, &chosen);
    return opencl_tiles_create(context, problem, &chosen.method, self_p);
}

static const char reference[] = "Blelloch, Prefix sums and their applications, 1990; Harris, "
                                "Sengupta, Owens, GPU Gems 3, chapter 39, 2007";

static const scan_plugin opencl_blelloch = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .kinds = SCAN_KINDS_BOTH,
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .id = "opencl_blelloch",
    .name = "Blelloch in OpenCL",
    .version = "1.0",
    .summary = "up-sweep and down-sweep of a tree in local memory, two elements per work-item",
    .reference = reference,
    .backend = "opencl",
    .tunables = tunables,
    .memory = &opencl_memory,
    .probe = opencl_probe,
    .supports = supports_two,
    .create = create_two,
    .run = opencl_tiles_run,
    .destroy = opencl_tiles_destroy,
};

static const scan_plugin opencl_blelloch_1 = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .kinds = SCAN_KINDS_BOTH,
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .id = "opencl_blelloch_1",
    .name = "Blelloch in OpenCL, one element per work-item",
    .version = "1.0",
    .summary = "up-sweep and down-sweep of a tree in local memory, one element per work-item",
    .reference = reference,
    .backend = "opencl",
    .tunables = tunables,
    .memory = &opencl_memory,
    .probe = opencl_probe,
    .supports = supports_one,
    .create = create_one,
    .run = opencl_tiles_run,
    .destroy = opencl_tiles_destroy,
};

SCAN_EXPORT_PLUGINS(&opencl_blelloch, &opencl_blelloch_1);
