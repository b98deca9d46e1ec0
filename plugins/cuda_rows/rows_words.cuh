/*
 * rows_words.cuh - how totals reach the blocks that need them: as in the pipeline with look-ahead
 * (lookahead_words.cuh), with fewer words in a group, because a block looks for one tile only; and
 * how blocks are numbered
 */
#ifndef ROWS_WORDS_CUH
#define ROWS_WORDS_CUH

#include "lookahead_words.cuh"

template <typename T> struct rows_link_words : lookahead_words<T> {
    static constexpr unsigned PER_LANE = 32 / sizeof(T);
};

/* What blocks owe each other, so that a test can break one rule at a time. */
struct rows_rules {
    /* A ticket for a tile, in the order in which blocks begin to run. */
    static __device__ unsigned take(unsigned *tickets)
    {
        return atomicAdd(tickets, 1u);
    }
};

#endif
