/*
 * cuda_wave.cu - a scan of what the registers of the whole device hold, in one wave of blocks
 *
 * From 10^5 to some 10^6 elements a pipeline is over before it is full, and a chain of prefixes
 * takes longer than the copy. Here every block holds its part of the array in registers, and there
 * is one exchange of totals (wave_kernel.cuh). wave_scan.h says how n elements are divided,
 * wave_launcher.cuh launches, and cuda_words.h has what outlives a launch. What the registers do
 * not hold is refused.
 *
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002 (a tile's total is published before its prefix is known).
 *
 * Work 5¾n, steps O(lines + log(block) + log(tiles)). Moves 2n elements.
 */
#include "cuda_chained.cuh"
#include "wave_launcher.cuh"

struct wave_method : cuda_chained_method<wave_launcher> {
    static wave_settings settings(const scan_problem *problem)
    {
        return {static_cast<unsigned>(problem->tunables[0]),
                static_cast<unsigned>(problem->tunables[1]),
                static_cast<unsigned>(problem->tunables[2]), problem->tunables[3] != 0};
    }
};

static const int64_t line_counts[] = {0, 1, 2, 4, WAVE_MOST_LINES};
static const int64_t cta_counts[] = {1, 2, 3, 4};
static const int64_t switches[] = {0, 1};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, at most; a multiple of 32", 1024, 32, 1024),
    SCAN_TUNABLE_LIST("rows", "accesses of 16 bytes per thread; 0: by n", 0, line_counts),
    SCAN_TUNABLE_LIST("ctas", "blocks per multiprocessor", 1, cta_counts),
    SCAN_TUNABLE_LIST("together", "1: all blocks begin at once (cooperatively); 0: by ticket", 1,
                      switches),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_wave",
    .name = "One wave in registers",
    .version = "1.0",
    .summary = "one wave of blocks holds the array in registers and exchanges totals once",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    .flags = SCAN_FLAG_IN_PLACE,
    .tile = 128, /* of 4 bytes in one line of a warp; two of 8 bytes */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    CUDA_CHAINED(wave_method),
};

SCAN_EXPORT_PLUGINS(&plugin);
