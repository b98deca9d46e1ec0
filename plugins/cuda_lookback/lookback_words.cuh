/*
 * lookback_words.cuh - what a tile says to the tiles behind it
 *
 * A status word holds a flag and a value, which must belong together. A value of 4 bytes travels
 * with its flag in one word of 8 bytes. A value of 8 bytes needs two such words, each with half of
 * it and its own copy of the flag: they can be loaded from different stores, and then the flags
 * differ, since in one launch no flag is stored twice. So nothing but the word itself must be seen
 * in time: relaxed accesses suffice, and no fence is needed.
 *
 * With the flag goes the launch's number, so that the words of earlier launches count as empty and
 * nothing is cleared between runs. Two words of 30-bit numbers would look alike after 2^30
 * launches; before that the words are cleared (cuda_turn_advance).
 */
#ifndef LOOKBACK_WORDS_CUH
#define LOOKBACK_WORDS_CUH

#include "cuda_access.cuh"
#include "cuda_sync.cuh"
#include "lookback_scan.h"

#include <cstdint>

enum lookback_flag : unsigned {
    LOOKBACK_EMPTY,
    LOOKBACK_TOTAL,  /* the value is the total of this tile */
    LOOKBACK_PREFIX, /* the value is the total of all tiles up to this one */
    LOOKBACK_FAILED  /* this tile has waited too long; no value */
};

/* The launch's number and the flag, in the upper half of a word; `launch` is 1 ...
 * CUDA_MOST_LAUNCHES. */
__device__ inline uint64_t lookback_tag(unsigned launch, unsigned flag)
{
    return static_cast<uint64_t>(launch << 2 | flag) << 32;
}

__device__ inline unsigned lookback_flag_of(uint64_t word, unsigned launch)
{
    const unsigned tag = static_cast<unsigned>(word >> 32);
    return tag >> 2 == launch ? tag & 3 : LOOKBACK_EMPTY;
}

template <typename T, unsigned BYTES = sizeof(T)> struct lookback_words;

template <typename T> struct lookback_words<T, 4> {
    using word = uint64_t;

    static __device__ word load(const word *from)
    {
        return cuda_load_relaxed(from);
    }
    static __device__ void store(word *to, unsigned launch, unsigned flag, const T &value)
    {
        cuda_store_relaxed(to, pack(launch, flag, value));
    }
    static __device__ word pack(unsigned launch, unsigned flag, const T &value)
    {
        return lookback_tag(launch, flag) | cuda_same_bits<unsigned>(value);
    }
    static __device__ unsigned flag(const word &from, unsigned launch)
    {
        return lookback_flag_of(from, launch);
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(static_cast<unsigned>(from));
    }
};

template <typename T> struct lookback_words<T, 8> {
    using word = cuda_two_words;

    static __device__ word load(const word *from)
    {
        return cuda_load_relaxed(from);
    }
    static __device__ void store(word *to, unsigned launch, unsigned flag, const T &value)
    {
        cuda_store_relaxed(to, pack(launch, flag, value));
    }
    static __device__ word pack(unsigned launch, unsigned flag, const T &value)
    {
        const uint64_t tag = lookback_tag(launch, flag);
        const uint64_t bits = cuda_same_bits<uint64_t>(value);
        return {tag | static_cast<unsigned>(bits), tag | bits >> 32};
    }
    static __device__ unsigned flag(const word &from, unsigned launch)
    {
        const unsigned one = lookback_flag_of(from.first, launch);
        return one == lookback_flag_of(from.second, launch) ? one : LOOKBACK_EMPTY;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(from.second << 32 | static_cast<unsigned>(from.first));
    }
};

#endif
