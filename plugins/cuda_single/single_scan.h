/*
 * single_scan.h - the shapes in which the single-launch kernel can run, and the one for n elements
 */
#ifndef SINGLE_SCAN_H
#define SINGLE_SCAN_H

#include <cstdint>

enum : unsigned {
    SINGLE_MOST_LINES = 8,
    SINGLE_PORTABLE_CLUSTER = 8, /* blocks, on every device that has clusters */
    SINGLE_MOST_CLUSTER = 16     /* where the device agrees */
};

struct single_shape {
    unsigned block; /* threads */
    unsigned lines; /* accesses of 16 bytes per thread */
    unsigned ctas;  /* blocks, all of one cluster */
};

/* Bytes that one round of the kernel scans. */
inline uint64_t single_round_bytes(const single_shape &shape)
{
    return static_cast<uint64_t>(shape.block) * shape.lines * shape.ctas * 16;
}

/*
 * Fills in what `wanted` leaves open (0) for `bytes` of elements, so that one round is enough where
 * it can be: few lines first, because the lines of a thread are scanned one after the other; then
 * more blocks, up to most_ctas, because a cluster's barrier costs about as much as a few lines.
 */
inline single_shape single_choose(single_shape wanted, uint64_t bytes, unsigned most_ctas)
{
    const unsigned sizes[] = {1, SINGLE_PORTABLE_CLUSTER, SINGLE_MOST_CLUSTER};
    single_shape shape = wanted;
    for (const unsigned ctas : sizes) {
        if (ctas > most_ctas)
            break;
        shape.ctas = wanted.ctas != 0 ? wanted.ctas : ctas;
        /* The last resort takes as many lines as there are; the others, two. */
        const bool last = wanted.ctas != 0 || ctas * 2 > most_ctas;
        const unsigned most_lines = last ? +SINGLE_MOST_LINES : 2;
        for (unsigned lines = 1; lines <= most_lines; lines *= 2) {
            shape.lines = wanted.lines != 0 ? wanted.lines : lines;
            if (single_round_bytes(shape) >= bytes)
                return shape;
        }
    }
    return shape;
}

#endif
