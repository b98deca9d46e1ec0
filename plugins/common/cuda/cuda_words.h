/*
 * cuda_words.h - what the tiles of a launch tell each other by, and how a wait in vain is noticed
 *
 * On the device: a counter of tickets and a status word per tile, in memory that others allocate.
 * Launches one after the other use it without clearing it (cuda_turn.h), also launches of different
 * kernels whose words cannot be mistaken for each other's. In memory of the host, which the device
 * writes to: the tile that gave up. No tile waits for ever; who has looked for a word too often in
 * vain says so there, and the launch ends.
 */
#ifndef CUDA_WORDS_H
#define CUDA_WORDS_H

#include "cuda_turn.h"

#include <cstdint>
#include <cuda_runtime.h>

enum : unsigned {
    CUDA_NO_TILE = ~0u,
    CUDA_WORDS_AT = 256, /* bytes before the words: the tickets, in a line of their own */
    /* Looks in vain before a tile gives up. A look is at least a trip to the L2 cache, so this is
     * seconds; time in which the device runs something else does not count. */
    CUDA_PATIENCE = 1u << 22
};

struct cuda_words {
    unsigned *failed_tile;           /* CUDA_NO_TILE, or one that gave up; in memory of the host */
    unsigned *failed_tile_on_device; /* the same */
    unsigned patience;               /* looks in vain before a tile gives up */
    void *memory;                    /* on the device */
    uint64_t bytes;
    cuda_turn turn;
};

inline uint64_t cuda_words_bytes(uint64_t words, uint64_t word_bytes)
{
    return CUDA_WORDS_AT + words * word_bytes;
}

inline unsigned *cuda_words_tickets(const cuda_words *words)
{
    return static_cast<unsigned *>(words->memory);
}

template <typename Word> Word *cuda_words_of(const cuda_words *words)
{
    return reinterpret_cast<Word *>(static_cast<char *>(words->memory) + CUDA_WORDS_AT);
}

/* The device may have written it since the host looked last. */
inline unsigned cuda_words_failed_tile(const cuda_words *words)
{
    return *static_cast<volatile unsigned *>(words->failed_tile);
}

/* Nothing is known about words and tickets any more: the next launch clears them. All launches have
 * ended. */
inline void cuda_words_forget(cuda_words *words)
{
    words->turn = {};
    if (words->failed_tile != nullptr)
        *static_cast<volatile unsigned *>(words->failed_tile) = CUDA_NO_TILE;
}

/* From now on the launches use this memory, whatever is in it. */
inline void cuda_words_use(cuda_words *words, void *memory, uint64_t bytes)
{
    words->memory = memory;
    words->bytes = bytes;
    cuda_words_forget(words);
}

/* Allocates what lies in memory of the host; *words is all 0. */
inline cudaError_t cuda_words_create(cuda_words *words)
{
    void *memory = nullptr;
    cudaError_t error = cudaHostAlloc(&memory, sizeof(unsigned), cudaHostAllocMapped);
    if (error != cudaSuccess)
        return error;
    words->failed_tile = static_cast<unsigned *>(memory);
    *words->failed_tile = CUDA_NO_TILE;
    words->patience = CUDA_PATIENCE;
    void *on_device = nullptr;
    error = cudaHostGetDevicePointer(&on_device, memory, 0);
    words->failed_tile_on_device = static_cast<unsigned *>(on_device);
    return error;
}

inline void cuda_words_destroy(const cuda_words *words)
{
    (void)cudaFreeHost(words->failed_tile); /* NULL does nothing */
}

/* Goes on to a launch that takes `tickets` tickets; its numbers are in words->turn. */
inline cudaError_t cuda_words_advance(cuda_words *words, unsigned tickets, cudaStream_t stream)
{
    if (!cuda_turn_advance(&words->turn, tickets))
        return cudaSuccess;
    return cudaMemsetAsync(words->memory, 0, words->bytes, stream);
}

#endif
