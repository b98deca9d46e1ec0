/*
 * simd_single.c - the scan of one thread: which loop, by instructions, size and address
 */
#include "simd_part.h"

static const simd_scans *scans_of(simd_set set)
{
    switch (set) {
#if defined(__x86_64__)
    case SIMD_AVX512:
        return &simd_scans_avx512;
    case SIMD_AVX2:
        return &simd_scans_avx2;
#endif
    default:
        return &simd_scans_any;
    }
}

simd_single simd_single_for(const scan_problem *problem, simd_set set, simd_way way)
{
    const simd_op op = simd_op_of(problem);
    const simd_scans *scans = scans_of(set);
    const size_t n = (size_t)problem->n;
    if (way == SIMD_BY_SIZE && n * problem->element_bytes < SIMD_FAR_BYTES)
        way = SIMD_NEAR;
    const simd_path *path = way == SIMD_FAR_AHEAD     ? &simd_ahead
                            : way == SIMD_FAR_IN_TURN ? &simd_pages_in_turn
                                                      : simd_best_path();
    return (simd_single){
        .near = scans->near[op][problem->kind],
        .far = (way == SIMD_NEAR ? scans->near : scans->far)[op][problem->kind],
        .element_bytes = problem->element_bytes,
        .part = {.n = n, .carry = simd_identities[op], .path = path},
    };
}

void simd_single_run(const simd_single *single, scan_buffer in, scan_buffer out)
{
    simd_part part = single->part;
    part.in = scan_host_pointer(in);
    part.out = scan_host_pointer(out);
    if (simd_can_store_around(&part, single->element_bytes))
        single->far(&part);
    else
        single->near(&part);
}
