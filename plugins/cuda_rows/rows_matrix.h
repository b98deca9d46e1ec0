/*
 * rows_matrix.h - where the rows of a matrix begin, by arithmetic
 *
 * A matrix of rows of `length` elements lies in memory as one array. Tiles are cut from this array,
 * wherever rows begin. A kernel asks once for each tile, with 64 bits, at which position of its row
 * the tile begins; the positions of all elements of the tile follow from that one in 32 bits. In a
 * row that is longer than ROWS_FAR, positions far from both of its ends are all called ROWS_FAR /
 * 2: no tile reaches from there to an end.
 */
#ifndef ROWS_MATRIX_H
#define ROWS_MATRIX_H

#include <cstdint>
#include <cuda_runtime.h>

enum : unsigned {
    ROWS_FAR = 1u << 30,
    ROWS_MOST_AHEAD = 1u << 14,  /* elements that a tile has at most */
    ROWS_MOST_DIVIDED = 1u << 15 /* shorter rows than this may begin more than once in a tile */
};

/* Where a tile begins. */
struct rows_start {
    unsigned position; /* of its first element in its row */
    unsigned begun;    /* the tile in which that row begins */
};

struct rows_matrix {
    uint64_t length;     /* elements of a row, > 0 */
    uint64_t reciprocal; /* (2^64 - 1) / length */
    unsigned near;       /* the length, or ROWS_FAR */
    unsigned inverse; /* 2^32 / length, rounded up; 0: a tile does not reach beyond the next row */
    unsigned step;    /* elements that a warp accesses at once, modulo the length */
    unsigned begins;  /* bit e: a row begins e elements after another one */

    /* x modulo the length; x is a position and what is ahead of it, up to ROWS_MOST_AHEAD. With the
     * inverse the quotient is exact, and for rows of one element 1 too small. */
    __device__ unsigned wrap(unsigned x) const
    {
        x -= __umulhi(x, inverse) * near;
        return x < near ? x : x - near;
    }

    /* The same for x < 2 * length. */
    __device__ unsigned wrap_once(unsigned x) const
    {
        return x < near ? x : x - near;
    }

    /* A position in 32 bits. */
    __device__ unsigned place(uint64_t position) const
    {
        if (length <= ROWS_FAR)
            return static_cast<unsigned>(position);
        const uint64_t left = length - position;
        if (left <= ROWS_FAR / 2)
            return ROWS_FAR - static_cast<unsigned>(left);
        return position < ROWS_FAR / 2 ? static_cast<unsigned>(position) : ROWS_FAR / 2;
    }

    /* The position of what lies `distance` elements before a row's beginning, in rows before it. */
    __device__ unsigned before(unsigned distance) const
    {
        const unsigned within = wrap(distance);
        return within == 0 ? 0 : near - within;
    }

    /* Tiles of `elements`, the first of which begins `skew` elements before the matrix. The
     * quotient by the reciprocal is exact, or 1 too small. Only far beyond a row's beginning is a
     * division of 64 bits made: it takes so long that the one thread that loads would fill stages
     * no faster than they are scanned. */
    __device__ rows_start start(unsigned tile, unsigned elements, unsigned skew) const
    {
        if (tile == 0)
            return {before(skew), 0};
        const uint64_t first = static_cast<uint64_t>(tile) * elements - skew;
        uint64_t within = first - __umul64hi(first, reciprocal) * length;
        within = within < length ? within : within - length;
        const uint64_t reach = within + elements - 1;
        const uint64_t back =
            reach >> 32 == 0 ? static_cast<unsigned>(reach) / elements : reach / elements;
        return {place(within), tile - static_cast<unsigned>(back)};
    }

    /* Of `count` elements, the first of which has this position: which is the last with which a row
     * begins? -1: none. */
    __device__ int last_beginning(unsigned position, unsigned count) const
    {
        const unsigned last = wrap(position + count - 1);
        return last < count ? static_cast<int>(count - 1 - last) : -1;
    }

    /* Bit e: does a row begin e elements after this position? */
    __device__ unsigned beginnings(unsigned position) const
    {
        const unsigned ahead = position == 0 ? 0 : near - position;
        return ahead < 32 ? begins << ahead : 0;
    }
};

/* `line`: elements that a warp accesses at once. */
inline rows_matrix rows_matrix_of(uint64_t length, unsigned line)
{
    rows_matrix matrix = {};
    matrix.length = length;
    matrix.reciprocal = UINT64_MAX / length;
    matrix.near = length < ROWS_FAR ? static_cast<unsigned>(length) : +ROWS_FAR;
    if (length <= ROWS_MOST_DIVIDED) {
        const uint64_t inverse = ((UINT64_C(1) << 32) + length - 1) / length;
        matrix.inverse = inverse >> 32 == 0 ? static_cast<unsigned>(inverse) : ~0u;
    }
    matrix.step = static_cast<unsigned>(line % length);
    for (uint64_t e = 0; e < 32; e += length)
        matrix.begins |= 1u << e;
    return matrix;
}

#endif
