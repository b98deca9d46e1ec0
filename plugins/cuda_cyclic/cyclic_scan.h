/*
 * cyclic_scan.h - what a launch of the cyclic kernel is given: the parts on its device, and where
 * the copies of the status words are
 */
#ifndef CYCLIC_SCAN_H
#define CYCLIC_SCAN_H

#include "cuda_access.cuh"
#include "lookahead_scan.h"

enum : unsigned {
    CYCLIC_MOST_PARTS = 32, /* a lane for each copy of the words */
    CYCLIC_MOST_SCANNERS = 8,
    CYCLIC_MOST_BLOCK = CYCLIC_MOST_SCANNERS * 32, /* threads that scan */
    CYCLIC_MOST_THREADS = (2 + 2 + CYCLIC_MOST_SCANNERS) * 32
};

template <typename T> struct cyclic_part {
    const T *in; /* its tiles, one behind the other; at a multiple of 16 bytes */
    T *out;      /* the same; aligned to its elements, may be `in` */
    uint64_t n;  /* its elements */
    unsigned *tickets;
    unsigned tiles;
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned part;         /* its number */
};

/* One launch on each device that has a part with elements. */
template <typename T, typename Word> struct cyclic_launch {
    cyclic_part<T> here[CYCLIC_MOST_PARTS]; /* `count` of them, each with as many CTAs */
    Word *copy[CYCLIC_MOST_PARTS]; /* of part p, in its memory: a word per tile of all parts */
    unsigned *failed_tile;         /* set to a tile whose prefix did not come; in host memory */
    unsigned count;                /* parts on this device */
    unsigned parts;                /* of the problem */
    unsigned launch;               /* its number, not 0, the same on all devices */
    unsigned patience;
    bool inclusive;
};

/* lookahead_control for one of several parts: tile t of part p is tile t x parts + p of all. */
template <typename Word> struct cyclic_control {
    Word *words; /* the part's own copy */
    unsigned *tickets;
    unsigned *failed_tile;
    unsigned tiles; /* of the part */
    unsigned first_ticket;
    unsigned launch;
    unsigned patience;
    unsigned part;
    unsigned parts;
    Word *const *copy; /* of each part */

    __device__ unsigned number_of(unsigned tile) const
    {
        return tile * parts + part;
    }

    template <typename Words, typename T> __device__ void publish(unsigned tile, T total) const
    {
        const unsigned lane = threadIdx.x % 32;
        total = cuda_shuffle_from(total, 31);
        if (lane < parts)
            Words::store(copy[lane] + number_of(tile), launch, total);
    }
};

#endif
