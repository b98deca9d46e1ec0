/*
 * cuda_lookback.cu - the chained scan with decoupled look-back, in one launch
 *
 * The algorithm is in lookback_kernel.cuh, what tiles say to each other in lookback_words.cuh, the
 * launch in lookback_launcher.cuh, what outlives it in cuda_words.h. Here: what can be set.
 *
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002.
 *
 * Work 2n, steps O(lines + log(block) + tiles). Moves 2n elements.
 */
#include "cuda_chained.cuh"
#include "lookback_launcher.cuh"

struct lookback_method : cuda_chained_method<lookback_launcher> {
    static lookback_settings settings(const scan_problem *problem)
    {
        return {static_cast<unsigned>(problem->tunables[0]),
                static_cast<unsigned>(problem->tunables[1]),
                static_cast<unsigned>(problem->tunables[2])};
    }
};

static const int64_t line_counts[] = {0, 1, 2, 4, LOOKBACK_MOST_LINES};
static const int64_t windows[] = {32, 64, 96, 128};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, a multiple of 32", 1024, 32, 1024),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread, block x rows in a tile; 0: by n", 0,
                      line_counts),
    SCAN_TUNABLE_LIST("window", "tiles whose words a look-back asks for at once", 128, windows),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_lookback",
    .name = "Chained scan, decoupled look-back",
    .version = "1.0",
    .summary = "one pass; tiles publish their totals and look back for the prefix before them",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Which totals and prefixes are added up depends on the timing, and so float sums do. */
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_NONDETERMINISTIC,
    .tile = 4096, /* of 4 bytes in one line; two of 8 bytes */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    CUDA_CHAINED(lookback_method),
};

SCAN_EXPORT_PLUGINS(&plugin);
