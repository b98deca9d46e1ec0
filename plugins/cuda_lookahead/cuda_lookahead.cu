/*
 * cuda_lookahead.cu - a single-pass scan whose memory traffic is a copy's, in one launch
 *
 * The algorithm is in lookahead_kernel.cuh, how a prefix comes about in lookahead_totals.cuh, how a
 * CTA is divided in lookahead_shape.h, the launch in lookahead_launcher.cuh, what outlives it in
 * cuda_words.h, what can be set in lookahead_tunables.h.
 *
 * Decoupled look-ahead in CUB (NVIDIA/cccl, issue 6644, 2025);
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002 (a tile's total is published before its prefix is known); NVIDIA, "CUDA C++
 * Programming Guide", Asynchronous Data Copies.
 *
 * Work 2n and one addition per tile and CTA, steps O(tiles / CTAs). Moves 2n elements.
 */
#include "cuda_chained.cuh"
#include "lookahead_launcher.cuh"
#include "lookahead_tunables.h"

struct lookahead_method {
    template <typename Op> using launcher = lookahead_launcher<Op>;

    static lookahead_settings settings(const scan_problem *problem)
    {
        lookahead_settings wanted = lookahead_settings_of(problem);
        wanted.even = problem->tunables[LOOKAHEAD_TUNABLE_COUNT] != 0;
        return wanted;
    }
};

static const int64_t switches[] = {0, 1};

static const scan_tunable tunables[] = {
    LOOKAHEAD_TUNABLES(LOOKAHEAD_MOST_BLOCK),
    SCAN_TUNABLE_LIST("even", "1: tiles of down to half the size, if they divide more evenly", 0,
                      switches),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_lookahead",
    .name = "Pipeline of bulk copies with look-ahead",
    .version = "1.0",
    .summary = "one pass; tiles stream through shared memory, their totals are published early",
    .reference = "decoupled look-ahead in CUB, NVIDIA/cccl issue 6644; "
                 "Merrill and Garland, Decoupled Look-back, NVR-2016-002",
    .flags = SCAN_FLAG_IN_PLACE,
    .tile = 8192, /* of 4 bytes; two of 8 bytes */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    CUDA_CHAINED(lookahead_method),
};

SCAN_EXPORT_PLUGINS(&plugin);
