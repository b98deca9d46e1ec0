/*
 * cpu_pairs.h - the pairs of the operator affine, and how two are joined
 *
 * A pair stands for the map x -> a x + b; `right` is applied after `left`.
 */
#ifndef CPU_PAIRS_H
#define CPU_PAIRS_H

#include <stdint.h>

typedef struct pair_u32 {
    uint32_t a, b;
} pair_u32;

typedef struct pair_f32 {
    float a, b;
} pair_f32;

static inline pair_u32 join_u32(pair_u32 left, pair_u32 right)
{
    return (pair_u32){left.a * right.a, left.b * right.a + right.b};
}

static inline pair_f32 join_f32(pair_f32 left, pair_f32 right)
{
    return (pair_f32){left.a * right.a, left.b * right.a + right.b};
}

#endif
