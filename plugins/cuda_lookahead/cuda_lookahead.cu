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
 * Work about 5½n (lookahead_kernel.cuh), steps O(tiles / CTAs). Moves 2n elements.
 */
#include "cuda_accurate.h"
#include "cuda_chained.cuh"
#include "cuda_wide.cuh"
#include "lookahead_launcher.cuh"
#include "lookahead_tunables.h"

enum { TUNABLE_EVEN = LOOKAHEAD_TUNABLE_COUNT, TUNABLE_ACCURATE };

struct lookahead_method : cuda_chained_method<lookahead_launcher> {
    static lookahead_settings settings(const scan_problem *problem)
    {
        lookahead_settings wanted = lookahead_settings_of(problem);
        wanted.even = problem->tunables[TUNABLE_EVEN] != 0;
        return wanted;
    }

    template <typename Visit>
    static scan_status visit(const scan_host *host, const scan_problem *problem, Visit visit)
    {
        const int64_t accurate = problem->tunables[TUNABLE_ACCURATE];
        const scan_status status = cuda_accurate_supports(host, problem, accurate);
        if (status != SCAN_OK)
            return status;
        if (scan_result(problem) != problem->dtype)
            return cuda_visit_wide(host, problem, [&](auto op, auto element) {
                return visit(op, lookahead_launcher<decltype(op), decltype(element)>());
            });
        using accurate_sum = cuda_sum<cuda_accurate_f32>;
        if (cuda_sums_accurately(problem, accurate))
            return visit(accurate_sum(), lookahead_launcher<accurate_sum>());
        return cuda_chained_method::visit(host, problem, visit);
    }
};

static const int64_t switches[] = {0, 1};

static const scan_tunable tunables[] = {
    LOOKAHEAD_TUNABLES(LOOKAHEAD_MOST_BLOCK),
    SCAN_TUNABLE_LIST("even", "1: tiles of down to half the size, if they divide more evenly", 0,
                      switches),
    CUDA_ACCURATE_TUNABLE,
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
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
