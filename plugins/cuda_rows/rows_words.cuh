/*
 * rows_words.cuh - how totals reach the blocks that need them: as in the pipeline with look-ahead
 * (lookahead_words.cuh), with fewer words in a group, because a block looks for one tile only; and
 * how blocks are numbered
 */
#ifndef ROWS_WORDS_CUH
#define ROWS_WORDS_CUH

#include "lookahead_words.cuh"

template <typename T> struct rows_link_words : lookahead_words<T> {
    static constexpr unsigned PER_LANE = 32 / sizeof(cuda_total<T>);
};

/* What blocks owe each other, so that a test can break one rule at a time. */
struct rows_rules {
    /* A ticket for a tile, in the order in which blocks begin to run. */
    static __device__ unsigned take(unsigned *tickets)
    {
        return atomicAdd(tickets, 1u);
    }
};

/* The ticket of this block in the launch, for all of its threads, by way of *shared. */
template <typename Rules, typename Control>
__device__ unsigned rows_ticket(const Control &control, unsigned *shared)
{
    if (threadIdx.x == 0)
        *shared = Rules::take(control.tickets) - control.first_ticket;
    __syncthreads();
    return *shared;
}

#endif
