/*
 * opencl_hillis_steele.c - the scan in log2(block) steps with two local buffers
 *
 * hillis_steele.cl has the kernel and its literature; opencl_tiles.c joins the tiles. Work O(n log
 * block); the input is read once and the output written once, and each level above the first moves
 * 1/block of the one below.
 */
#include "opencl_scan.h"

#include "hillis_steele.cl.h"

/* Half the default of its CUDA twin: every device takes it, and it is faster than 512 on an H200
 * and on PoCL (reports/h200, reports/cpu-2-cores). */
static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "work-items per work-group and elements per tile, any number", 256,
                       1, 16384),
};

static scan_status choose(const scan_host *host, const scan_plugin *plugin,
                          const scan_problem *problem, opencl_tile_method *method_p)
{
    (void)host;
    (void)plugin;
    const uint64_t block = (uint64_t)problem->tunables[0];
    *method_p = (opencl_tile_method){
        .block = block, .tile = block, .local_elements = 2 * block, .strides = true};
    return SCAN_OK;
}

static const opencl_tiles_plugin opencl_hillis_steele = {
    .plugin =
        {
            .struct_size = sizeof(scan_plugin),
            .role = SCAN_ROLE_ALGORITHM,
            .id = "opencl_hillis_steele",
            .name = "Hillis-Steele in OpenCL",
            .version = "1.0",
            .summary = "log2(block) steps, each combining with the element 2^d to the left",
            .reference = "Hillis, Steele, Data parallel algorithms, CACM 29(12), 1986",
            .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1},
            SCAN_TUNABLES(tunables),
            OPENCL_TILES,
        },
    .source = hillis_steele_cl,
    .choose = choose,
};

SCAN_EXPORT_PLUGINS(&opencl_hillis_steele.plugin);
