/*
 * cuda_accurate.h - the tunable "accurate" of plugins whose sums of f32 are then made in f64 and
 * rounded once (cuda_accurate_f32)
 *
 * With u = 2^-53 the sum in f64 of m terms of one sign is within m*u of its value, in any order,
 * and rounding it within half an ulp of f32, which is more than 2^-24 of the value: together within
 * 0.5 + m*2^-29 ulps. In a tree of warps and tiles m is the number of additions that a term goes
 * through, not of terms.
 */
#ifndef CUDA_ACCURATE_H
#define CUDA_ACCURATE_H

#include "scan_plugin.h"

static const int64_t cuda_accurate_values[] = {0, 1};
#define CUDA_ACCURATE_TUNABLE                                                                   \
    SCAN_TUNABLE_LIST(SCAN_ACCURATE_TUNABLE, "1: sums of f32 in f64, rounded once to 1 ulp", 0, \
                      cuda_accurate_values)

/* Is it a sum of cuda_accurate_f32? */
inline bool cuda_sums_accurately(const scan_problem *problem, int64_t accurate)
{
    return accurate != 0 && problem->op == SCAN_OP_SUM && problem->dtype == SCAN_DTYPE_F32 &&
           scan_result(problem) == SCAN_DTYPE_F32;
}

/* SCAN_OK, or SCAN_UNSUPPORTED and the reason if the setting promises what it cannot keep.
 * Integers, max and min are exact in any setting. */
inline scan_status cuda_accurate_supports(const scan_host *host, const scan_problem *problem,
                                          int64_t accurate)
{
    const uint32_t type = problem->dtype;
    const bool rounds = type == SCAN_DTYPE_F32 || type == SCAN_DTYPE_F64 ||
                        type == SCAN_DTYPE_F16 || type == SCAN_DTYPE_BF16 ||
                        type == SCAN_DTYPE_F32X2;
    if (accurate == 0 || !rounds || problem->op == SCAN_OP_MAX || problem->op == SCAN_OP_MIN ||
        cuda_sums_accurately(problem, accurate))
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED,
                      "accurate=1 adds f32 in f64; it has nothing more accurate for other float "
                      "types and results, and affine");
}

#endif
