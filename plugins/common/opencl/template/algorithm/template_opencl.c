/*
 * template_opencl.c - CHANGE: what the algorithm is, in one line
 *
 * CHANGE: the algorithm in the words of its paper, the source, how many
 * combinations (work) and dependent steps it makes, and how many bytes it moves.
 *
 * This file is complete and correct: every type, operator and kind, any n. A work-group scans a
 * tile of `block` elements, one per work-item, in log2(block) steps: in step d every element takes
 * in the one 2^d to its left (Hillis and Steele, Data parallel algorithms, CACM 29(12), 1986). Work
 * n log2(block). The rest is common code, opencl_tiles.c: the same kernel scans the tiles' totals,
 * and each is then combined with the elements of its tile. Moves 4n elements.
 *
 * Replace it line by line, wherever it says CHANGE. After each change `scanbench validate` proves
 * it on sizes around the tile, on special inputs, and between guard words.
 */
#include "opencl_scan.h"

/*
 * Group g scans elements g*TILE ... g*TILE + TILE-1, those below n, and leaves their total in
 * totals[g]. The element type T, its IDENTITY and combine(left, right) are defined before this
 * text. The order matters: not every operator commutes. `in` and `out` may be the same buffer.
 * CHANGE: the lines between reading `in` and writing `out`.
 */
static const char kernel[] =
    "__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void\n"
    "scan_tile(__global const T *in, __global T *out, __global T *totals,\n"
    "          ulong n, uint inclusive)\n"
    "{\n"
    "    __local T row[BLOCK];\n"
    "    const uint item = get_local_id(0);\n"
    "    const ulong i = (ulong)get_group_id(0) * TILE + item; /* 32 bits end at 2^32 */\n"
    "\n"
    "    /* Past the end stands the identity: nobody returns early, because every\n"
    "       work-item of a group has to come to every barrier. */\n"
    "    T value = i < n ? in[i] : IDENTITY;\n"
    "    for (uint shift = 1; shift < BLOCK; shift *= 2) {\n"
    "        row[item] = value;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* all are written before one is read */\n"
    "        if (item >= shift)\n"
    "            value = combine(row[item - shift], value);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* all are read before one is overwritten */\n"
    "    }\n"
    "    row[item] = value;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "\n"
    "    if (item == BLOCK - 1)\n"
    "        totals[get_group_id(0)] = value;\n"
    "    if (!inclusive)\n"
    "        value = item > 0 ? row[item - 1] : IDENTITY;\n"
    "    if (i < n)\n"
    "        out[i] = value;\n"
    "}\n";

/* The parameters to sweep with --block-sizes or --set; their values arrive in this
 * order. CHANGE, or add others. */
static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "work-items per work-group and elements per tile, any number", 256,
                       2, 1024),
};

/* Says how the problem is cut into tiles, or refuses it with a reason: CHANGE, for instance return
 * host->fail(host, SCAN_UNSUPPORTED, "block %d is odd", block). The common code refuses what the
 * device cannot do. */
static scan_status choose(const scan_host *host, const scan_plugin *plugin,
                          const scan_problem *problem, opencl_tile_method *method_p)
{
    (void)host;
    (void)plugin;
    const uint64_t block = (uint64_t)problem->tunables[0];
    *method_p = (opencl_tile_method){
        .options = NULL,         /* CHANGE: "-D NAME=value" for the kernel */
        .block = block,          /* BLOCK, work-items per tile */
        .tile = block,           /* CHANGE: TILE, elements per tile */
        .local_elements = block, /* CHANGE: elements in local memory */
    };
    return SCAN_OK;
}

static const opencl_tiles_plugin plugin = {
    .plugin =
        {
            .struct_size = sizeof(scan_plugin),
            .role = SCAN_ROLE_MOCK, /* an algorithm is measured, a mock only proved */
            .id = "template_opencl",
            .name = "Hillis-Steele in one row", /* CHANGE */
            .version = "1.0",
            .summary = "log2(block) steps in local memory, two barriers each",          /* CHANGE */
            .reference = "Hillis, Steele, Data parallel algorithms, CACM 29(12), 1986", /* CHANGE */
            /* CHANGE: fewer, if the kernel is made for some */
            .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1},
            SCAN_TUNABLES(tunables),
            OPENCL_TILES,
        },
    .source = kernel,
    .choose = choose,
};

SCAN_EXPORT_PLUGINS(&plugin.plugin);
