/*
 * template_opencl.c - CHANGE: what the algorithm is, in one line
 *
 * CHANGE: the algorithm in the words of its paper, the source, how many
 * combinations (work) and dependent steps it makes, and how many bytes it moves.
 *
 * What stands here is complete and correct: every type, operator and kind, any n. A
 * work-group scans a tile of `block` elements, one per work-item, in log2(block)
 * steps: in step d every element takes in the one 2^d to its left (Hillis and
 * Steele, Data parallel algorithms, CACM 29(12), 1986). Work n log2(block). The rest
 * is common code, opencl_tiles.c: the tiles' totals are scanned by the same kernel,
 * and each is then put before the elements of its tile. Moves 4n elements.
 *
 * Replace it line by line, wherever it says CHANGE. `scanbench validate` proves each
 * state of it on sizes around the tile, on special inputs, and between guard words.
 */
#include "opencl_scan.h"

/*
 * Group g scans elements g*TILE ... g*TILE + TILE-1, those below n, and leaves their
 * total in totals[g]. Before this text stand the element type T, its IDENTITY and
 * combine(left, right), in that order: not every operator commutes. `in` and `out`
 * may be the same buffer. CHANGE: the lines between reading `in` and writing `out`.
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

/* One parameter to sweep with --block-sizes or --set. CHANGE: add others here and in
 * `tunables`, in whose order their values arrive. */
static const scan_tunable block_tunable = {
    .struct_size = sizeof(scan_tunable),
    .name = "block",
    .summary = "work-items per work-group and elements per tile, any number",
    .default_value = 256,
    .min = 2,
    .max = 1024,
};
static const scan_tunable *const tunables[] = {&block_tunable, NULL};

/* What the common code has to know about the kernel. */
static opencl_tile_method choose_method(const scan_problem *problem)
{
    const uint64_t block = (uint64_t)problem->tunables[0];
    return (opencl_tile_method){
        .source = kernel,
        .options = "",           /* CHANGE: "-D NAME=value" for the kernel */
        .block = block,          /* BLOCK, work-items per tile */
        .tile = block,           /* CHANGE: TILE, elements per tile */
        .local_elements = block, /* CHANGE: elements in local memory */
    };
}

/* Refuses what this device cannot do, and says why. CHANGE: refuse more before, with
 * host->fail(host, SCAN_UNSUPPORTED, "block %d is odd", block). */
static scan_status supports(const scan_host *host, void *context, const scan_problem *problem)
{
    (void)host;
    const opencl_tile_method method = choose_method(problem);
    return opencl_tiles_supports(context, problem, &method);
}

/* Everything that is not the scan: the kernels are built here, the totals allocated. */
static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    (void)host;
    const opencl_tile_method method = choose_method(problem);
    return opencl_tiles_create(context, problem, &method, self_p);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* an algorithm is measured, a mock only proved */
    .kinds = SCAN_KINDS_BOTH,
    /* CHANGE: fewer, if the kernel is made for some */
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .id = "template_opencl",
    .name = "Hillis-Steele in one row", /* CHANGE */
    .version = "1.0",
    .summary = "log2(block) steps in local memory, two barriers each",          /* CHANGE */
    .reference = "Hillis, Steele, Data parallel algorithms, CACM 29(12), 1986", /* CHANGE */
    .backend = "opencl",
    .tunables = tunables,
    .memory = &opencl_memory,
    .probe = opencl_probe,
    .supports = supports,
    .create = create,
    .run = opencl_tiles_run,
    .destroy = opencl_tiles_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
