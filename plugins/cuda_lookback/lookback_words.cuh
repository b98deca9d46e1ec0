/*
 * lookback_words.cuh - what a tile says to the tiles behind it
 *
 * A status word holds a value, tagged with a flag (cuda_tagged.cuh): in one launch no flag is
 * stored twice. So nothing but the word itself must be seen in time: relaxed accesses suffice, and
 * no fence is needed.
 *
 * With the flag goes the launch's number, so that the words of earlier launches count as empty and
 * nothing is cleared between runs. Two words of 30-bit numbers would look alike after 2^30
 * launches; before that the words are cleared (cuda_turn_advance).
 */
#ifndef LOOKBACK_WORDS_CUH
#define LOOKBACK_WORDS_CUH

#include "cuda_ops.cuh"
#include "cuda_tagged.cuh"
#include "lookback_scan.h"

enum lookback_flag : unsigned {
    LOOKBACK_EMPTY,
    LOOKBACK_TOTAL,  /* the value is the total of this tile */
    LOOKBACK_PREFIX, /* the value is the total of all tiles up to this one */
    LOOKBACK_FAILED  /* this tile has waited too long; no value */
};

/* The launch's number and the flag; `launch` is 1 ... CUDA_MOST_LAUNCHES. */
__device__ inline unsigned lookback_tag(unsigned launch, unsigned flag)
{
    return launch << 2 | flag;
}

__device__ inline unsigned lookback_flag_of(uint64_t word, unsigned launch)
{
    const unsigned tag = static_cast<unsigned>(word >> 32);
    return tag >> 2 == launch ? tag & 3 : LOOKBACK_EMPTY;
}

__device__ inline unsigned lookback_flag_of(const cuda_two_words &words, unsigned launch)
{
    const unsigned one = lookback_flag_of(words.first, launch);
    return one == lookback_flag_of(words.second, launch) ? one : LOOKBACK_EMPTY;
}

template <typename T> struct lookback_words : cuda_tagged_words<cuda_total<T>, cuda_scope::device> {
    using total_type = cuda_total<T>;
    using base = cuda_tagged_words<total_type, cuda_scope::device>;
    using word = typename base::word;

    static __device__ void store(word *to, unsigned launch, unsigned flag, const total_type &value)
    {
        base::store(to, lookback_tag(launch, flag), value);
    }
    static __device__ word pack(unsigned launch, unsigned flag, const total_type &value)
    {
        return base::make(lookback_tag(launch, flag), value);
    }
    static __device__ unsigned flag(const word &from, unsigned launch)
    {
        return lookback_flag_of(from, launch);
    }
};

#endif
