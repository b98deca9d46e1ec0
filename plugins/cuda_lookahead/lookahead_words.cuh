/*
 * lookahead_words.cuh - how a tile's total reaches the CTAs that need it
 *
 * A status word holds a total and the number of the launch that it belongs to, by which a reader
 * knows that the total is there. They must belong together: a value of 4 bytes travels with the
 * number in one word of 8 bytes. A value of 8 bytes needs two such words, each with half of it and
 * its own copy of the number; a launch stores each word once, so two halves with its number are of
 * one store. Nothing else is published with them: relaxed accesses suffice, and no fence is needed.
 *
 * Words of earlier launches have other numbers, so nothing is cleared between runs. When the
 * numbers are used up, all words are cleared once (cuda_turn_advance).
 */
#ifndef LOOKAHEAD_WORDS_CUH
#define LOOKAHEAD_WORDS_CUH

#include "cuda_access.cuh"
#include "cuda_sync.cuh"
#include "lookahead_scan.h"

#include <cstdint>

__device__ inline uint64_t lookahead_pack(unsigned launch, unsigned bits)
{
    return static_cast<uint64_t>(launch) << 32 | bits;
}

template <typename T, unsigned BYTES = sizeof(T)> struct lookahead_format;

template <typename T> struct lookahead_format<T, 4> {
    using word = uint64_t;

    static __device__ word make(unsigned launch, const T &value)
    {
        return lookahead_pack(launch, cuda_same_bits<unsigned>(value));
    }
    static __device__ bool is_there(const word &from, unsigned launch)
    {
        return from >> 32 == launch;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(static_cast<unsigned>(from));
    }
};

template <typename T> struct lookahead_format<T, 8> {
    using word = cuda_two_words;

    static __device__ word make(unsigned launch, const T &value)
    {
        const uint64_t bits = cuda_same_bits<uint64_t>(value);
        return {lookahead_pack(launch, static_cast<unsigned>(bits)),
                lookahead_pack(launch, static_cast<unsigned>(bits >> 32))};
    }
    static __device__ bool is_there(const word &from, unsigned launch)
    {
        return from.first >> 32 == launch && from.second >> 32 == launch;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(from.second << 32 | static_cast<unsigned>(from.first));
    }
};

/* Among the CTAs of one device. */
template <typename T> struct lookahead_words : lookahead_format<T> {
    using format = lookahead_format<T>;
    using word = typename format::word;
    using control = lookahead_control<word>;

    /* Words that a lane of the warp that looks ahead holds: of one group of tiles, so many. */
    static constexpr unsigned GROUPS = 1;
    static constexpr unsigned PER_LANE = 64 / sizeof(T);

    static __device__ void store(word *to, unsigned launch, const T &value)
    {
        cuda_store_relaxed(to, format::make(launch, value));
    }
    static __device__ word load(const word *from)
    {
        return cuda_load_relaxed(from);
    }
};

#endif
