/*
 * cuda_tagged.cuh - a value and a tag in one word, or in two, for kernels that exchange values
 *
 * A relaxed access orders nothing (cuda_sync.cuh), so a word carries all that is said: a value and
 * a tag, by which a reader knows that the value is there. A value of 4 bytes travels with its tag
 * in one word of 8 bytes; one of 8 bytes in two such words, each with half of it and its own copy
 * of the tag, which may be loaded from different stores. Whoever stores under a tag does so once,
 * so two halves with the same tag are of one store. Tags are not 0, which stands for a word that
 * nobody has stored.
 *
 * Between devices: store into the memory of whoever reads, so that waiting costs loads of its own
 * memory only.
 */
#ifndef CUDA_TAGGED_CUH
#define CUDA_TAGGED_CUH

#include "cuda_access.cuh"
#include "cuda_sync.cuh"

#include <cstdint>

/* A word with a tag and no value. */
__device__ inline uint64_t cuda_tag(unsigned tag)
{
    return static_cast<uint64_t>(tag) << 32;
}

template <typename T, unsigned BYTES = sizeof(T)> struct cuda_tagged;

template <typename T> struct cuda_tagged<T, 4> {
    using word = uint64_t;

    static __device__ word make(unsigned tag, const T &value)
    {
        return cuda_tag(tag) | cuda_same_bits<unsigned>(value);
    }
    static __device__ bool is_there(const word &from, unsigned tag)
    {
        return from >> 32 == tag;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(static_cast<unsigned>(from));
    }
};

template <typename T> struct cuda_tagged<T, 8> {
    using word = cuda_two_words;

    static __device__ word make(unsigned tag, const T &value)
    {
        const uint64_t bits = cuda_same_bits<uint64_t>(value);
        return {cuda_tag(tag) | static_cast<unsigned>(bits), cuda_tag(tag) | bits >> 32};
    }
    static __device__ bool is_there(const word &from, unsigned tag)
    {
        return from.first >> 32 == tag && from.second >> 32 == tag;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(from.second << 32 | static_cast<unsigned>(from.first));
    }
};

/* Such words in global memory. */
template <typename T, cuda_scope SCOPE> struct cuda_tagged_words : cuda_tagged<T> {
    using format = cuda_tagged<T>;
    using word = typename format::word;

    static __device__ word load(const word *from)
    {
        return cuda_load_relaxed<SCOPE>(from);
    }
    static __device__ void store(word *to, unsigned tag, const T &value)
    {
        cuda_store_relaxed<SCOPE>(to, format::make(tag, value));
    }
};

#endif
