/*
 * bank_index.h - where an element of the tree lies in shared memory
 *
 * Shared memory has 32 banks of 4 bytes; lanes of a warp that access one bank wait for each other.
 * Level d of the tree touches elements 2^(d+1) apart: without padding up to 32 lanes use one bank.
 * With one element of padding after every 32, elements 32 apart lie in neighbouring banks (GPU Gems
 * 3, 39.2.3). Elements of 8 bytes take two banks each and are served 16 lanes at a time, so their
 * rows have 16 elements. With such short rows the tree's steps also span multiples of whole rows of
 * rows, which the second term pads in the same way.
 *
 * Plain C, so that a test on the host can count the conflicts.
 */
#ifndef BANK_INDEX_H
#define BANK_INDEX_H

#if defined(__CUDACC__)
#define BANK_INDEX_FUNCTION __host__ __device__ static inline
#else
#define BANK_INDEX_FUNCTION static inline
#endif

/* The place of element i, in elements of 4 or 8 bytes. */
BANK_INDEX_FUNCTION unsigned bank_index(unsigned i, unsigned padded, unsigned element_bytes)
{
    if (!padded)
        return i;
    return element_bytes == 4 ? i + i / 32 : i + i / 16 + i / 256;
}

/* The node of the tree that thread t combines at level d has its left child at
 * `left` and its right child, where the total of both goes, `tree_apart` beyond. */
BANK_INDEX_FUNCTION unsigned tree_left(unsigned t, unsigned level)
{
    return (t << (level + 1)) + ((1u << level) - 1);
}

BANK_INDEX_FUNCTION unsigned tree_apart(unsigned level)
{
    return 1u << level;
}

/* The same in places. The distance between the children's places depends only on the level, because
 * the padding before both grows by the same amount from node to node. */
BANK_INDEX_FUNCTION unsigned bank_left(unsigned t, unsigned level, unsigned padded,
                                       unsigned element_bytes)
{
    return bank_index(tree_left(t, level), padded, element_bytes);
}

BANK_INDEX_FUNCTION unsigned bank_apart(unsigned level, unsigned padded, unsigned element_bytes)
{
    const unsigned left = tree_left(0, level);
    return bank_index(left + tree_apart(level), padded, element_bytes) -
           bank_index(left, padded, element_bytes);
}

#endif
