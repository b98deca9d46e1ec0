/*
 * cuda_system.cuh - words that kernels on several devices exchange through peer memory, and values
 * in them
 *
 * A relaxed access of system scope is never torn, and reaches the memory of the device where the
 * word lies; it orders nothing. That is enough where a word carries all that is said: a value and a
 * number, by which a reader knows that the value is there. A value of 4 bytes travels with the
 * number in one word of 8 bytes; one of 8 bytes in two such words, each with half of it and its own
 * copy of the number. Whoever stores a word stores it once under a number.
 *
 * Store into the memory of whoever reads, so that waiting costs loads of its own memory only.
 */
#ifndef CUDA_SYSTEM_CUH
#define CUDA_SYSTEM_CUH

#include "cuda_access.cuh"
#include "cuda_sync.cuh"

#include <cstdint>

#ifdef __CUDACC__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define CUDA_SYSTEM_LOAD "ld.volatile.global"
#define CUDA_SYSTEM_STORE "st.volatile.global"
#else
#define CUDA_SYSTEM_LOAD "ld.relaxed.sys.global"
#define CUDA_SYSTEM_STORE "st.relaxed.sys.global"
#endif

__device__ inline uint64_t cuda_load_system(const uint64_t *from)
{
    uint64_t word;
    asm volatile(CUDA_SYSTEM_LOAD ".u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}

__device__ inline void cuda_store_system(uint64_t *to, uint64_t word)
{
    asm volatile(CUDA_SYSTEM_STORE ".u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

__device__ inline cuda_two_words cuda_load_system(const cuda_two_words *from)
{
    cuda_two_words words;
    asm volatile(CUDA_SYSTEM_LOAD ".v2.u64 {%0, %1}, [%2];"
                 : "=l"(words.first), "=l"(words.second)
                 : "l"(from)
                 : "memory");
    return words;
}

__device__ inline void cuda_store_system(cuda_two_words *to, cuda_two_words words)
{
    asm volatile(CUDA_SYSTEM_STORE ".v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(words.first),
                 "l"(words.second)
                 : "memory");
}

#else /* the emulator: what is stored is on its way for a while, and comes in any order */

template <typename Word> inline Word cuda_load_system(const Word *from)
{
    return cuda_load_relaxed(from);
}

inline void cuda_store_system(uint64_t *to, uint64_t word)
{
    emulator::store_late(to, word, sizeof *to);
}

inline void cuda_store_system(cuda_two_words *to, const cuda_two_words &words)
{
    cuda_store_system(&to->first, words.first);
    cuda_store_system(&to->second, words.second);
}

#endif

/* Numbers are not 0, which stands for a word that nobody has stored. */
template <typename T, unsigned BYTES = sizeof(T)> struct cuda_system_words;

template <typename T> struct cuda_system_words<T, 4> {
    using word = uint64_t;

    static __device__ word load(const word *from)
    {
        return cuda_load_system(from);
    }
    static __device__ void store(word *to, unsigned number, const T &value)
    {
        cuda_store_system(to,
                          static_cast<uint64_t>(number) << 32 | cuda_same_bits<unsigned>(value));
    }
    static __device__ bool is_there(const word &from, unsigned number)
    {
        return from >> 32 == number;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(static_cast<unsigned>(from));
    }
};

template <typename T> struct cuda_system_words<T, 8> {
    using word = cuda_two_words;

    static __device__ word load(const word *from)
    {
        return cuda_load_system(from);
    }
    static __device__ void store(word *to, unsigned number, const T &value)
    {
        const uint64_t bits = cuda_same_bits<uint64_t>(value);
        const uint64_t tag = static_cast<uint64_t>(number) << 32;
        cuda_store_system(to, cuda_two_words{tag | static_cast<unsigned>(bits), tag | bits >> 32});
    }
    static __device__ bool is_there(const word &from, unsigned number)
    {
        return from.first >> 32 == number && from.second >> 32 == number;
    }
    static __device__ T value(const word &from)
    {
        return cuda_same_bits<T>(from.second << 32 | static_cast<unsigned>(from.first));
    }
};

#endif
