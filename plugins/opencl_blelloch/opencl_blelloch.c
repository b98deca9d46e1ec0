/*
 * opencl_blelloch.c - the work-efficient tree scan, two elements per work-item as
 * in GPU Gems 3 and one per work-item
 *
 * blelloch.cl has the kernel and its literature; opencl_tiles.c joins the tiles. Work O(n), O(log
 * n) steps; the input is read once and the output written once, and each level above the first
 * moves 1/tile of the one below.
 */
#include "opencl_scan.h"

#include "blelloch.cl.h"

enum { BLOCK, PAD, GROUPS };
static const scan_tunable tunables[] = {
    [BLOCK] =
        SCAN_TUNABLE_RANGE("block", "work-items per work-group, a power of two", 256, 1, 16384),
    [PAD] =
        SCAN_TUNABLE_RANGE("pad", "1: a free slot after every 32, against bank conflicts", 1, 0, 1),
    [GROUPS] = OPENCL_SUB_GROUPS_TUNABLE,
};
static const opencl_tiles_plugin one_element;

static scan_status choose(const scan_host *host, const scan_plugin *plugin,
                          const scan_problem *problem, opencl_tile_method *method_p)
{
    const uint64_t block = (uint64_t)problem->tunables[BLOCK];
    const uint64_t tile = plugin == &one_element.plugin ? block : 2 * block;
    const bool pad = problem->tunables[PAD] != 0;
    if ((block & (block - 1)) != 0)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "block %llu is not a power of two, which the tree needs",
                          (unsigned long long)block);
    *method_p = (opencl_tile_method){.options = pad ? "-D PAD=1" : "-D PAD=0",
                                     .block = block,
                                     .tile = tile,
                                     .local_elements = pad ? tile + (tile - 1) / 32 : tile,
                                     .sub_groups = problem->tunables[GROUPS] != 0,
                                     .strides = true};
    return SCAN_OK;
}

#define SHARED                                                                                   \
    .struct_size = sizeof(scan_plugin), .role = SCAN_ROLE_ALGORITHM, .version = "1.0",           \
    .reference = "Blelloch, Prefix sums and their applications, 1990; Harris, Sengupta, Owens, " \
                 "GPU Gems 3, chapter 39, 2007",                                                 \
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1}, SCAN_TUNABLES(tunables), OPENCL_TILES

static const opencl_tiles_plugin two_elements = {
    .plugin = {SHARED, .id = "opencl_blelloch", .name = "Blelloch in OpenCL",
               .summary =
                   "up-sweep and down-sweep of a tree in local memory, two elements per work-item"},
    .source = blelloch_cl,
    .choose = choose,
};

static const opencl_tiles_plugin one_element = {
    .plugin = {SHARED, .id = "opencl_blelloch_1",
               .name = "Blelloch in OpenCL, one element per work-item",
               .summary =
                   "up-sweep and down-sweep of a tree in local memory, one element per work-item"},
    .source = blelloch_cl,
    .choose = choose,
};

SCAN_EXPORT_PLUGINS(&two_elements.plugin, &one_element.plugin);
