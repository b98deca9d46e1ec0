/*
 * multi_scan.h - what the kernels of cuda_multi are given
 */
#ifndef MULTI_SCAN_H
#define MULTI_SCAN_H

#include "cuda_tagged.cuh"
#include "lookahead_kernels.h"
#include "lookback_kernels.h"

enum : unsigned {
    MULTI_LINES = 8,          /* of a warp, in the reduction and in the look-ahead */
    MULTI_LOOKBACK_LINES = 4, /* fewer, so that 8-byte types have registers */
    MULTI_REDUCE_BLOCK = 256, /* threads */
    MULTI_NO_CARRY = ~0u - 1  /* in place of a tile that gave up: totals of parts before */
};

/* A part's total, tagged with the run's number. */
template <typename T> using multi_words = cuda_tagged_words<T, cuda_scope::system>;
template <typename T> using multi_word = typename multi_words<T>::word;

/* The reduction of a part: in chunks, each of which is `runs` pieces of a warp for every warp of a
 * block. */
template <typename T> struct multi_reduction {
    const T *in;
    uint64_t n;
    unsigned chunks;
    unsigned runs;
    uint64_t *totals;               /* one per chunk, or per block if the operator commutes */
    unsigned *done;                 /* blocks so far, of all launches */
    unsigned first_done;            /* before this launch; wraps at 2^32 */
    multi_word<T> *const *everyone; /* each part's own totals of all parts */
    unsigned part, parts;
    unsigned number; /* of the run, not 0 */
    T *sent;         /* where the total goes instead, for NCCL; or NULL */
};

/* Where a part finds the totals of those before it. */
template <typename T> struct multi_carries {
    const multi_word<T> *words; /* of this part, polled */
    const T *gathered;          /* or, from NCCL, complete before the launch; or NULL */
    unsigned before;            /* parts before this one */
    unsigned number;
};

template <typename T> struct multi_lookahead_control : lookahead_control<lookahead_word<T>> {
    multi_carries<T> carries;
};

template <typename T> struct multi_lookback_control : lookback_control<lookback_word<T>> {
    multi_carries<T> carries;
};

#endif
