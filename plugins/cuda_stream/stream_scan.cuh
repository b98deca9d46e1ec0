/*
 * stream_scan.cuh - scans one chunk after another on the device, with the carry kept there
 *
 * A chunk is scanned by the look-back kernel of cuda_lookback, as it is. What comes before a chunk
 * is to the kernel a tile of its own, tile 0, which nobody takes: its status word says that its
 * prefix is the carry, and tickets and array begin one tile earlier, at memory that is never
 * accessed. So the carry costs two kernels of one thread a chunk and no pass over the data, and the
 * host waits for nothing.
 */
#ifndef STREAM_SCAN_CUH
#define STREAM_SCAN_CUH

#include "cuda_grid.h"
#include "cuda_words.h"
#include "lookback_kernels.h"

enum : unsigned { STREAM_BLOCK = 1024, STREAM_WINDOW = LOOKBACK_MOST_WINDOW };

/* The carry becomes the prefix of tile 0 of a launch. */
template <typename T>
__global__ void stream_give(lookback_word<T> *words, unsigned launch, const T *carry)
{
    if (threadIdx.x == 0)
        lookback_words<T>::store(words, launch, LOOKBACK_PREFIX, *carry);
}

/* The prefix of a launch's last tile becomes the carry. */
template <typename T> __global__ void stream_keep(const lookback_word<T> *last, T *carry)
{
    if (threadIdx.x == 0)
        *carry = lookback_words<T>::value(lookback_words<T>::load(last));
}

/* A chunk in a buffer on the device, at a multiple of 16 bytes. */
template <typename T> struct stream_chunk {
    T *data; /* behind the room of one tile */
    uint64_t count;
    bool first, last; /* of the array */
};

template <typename Op> struct stream_scanner {
    using T = typename Op::value;
    using word = lookback_word<T>;

    Op op;
    unsigned block;
    unsigned lines;
    bool inclusive;
    T *carry; /* on the device */
    cuda_words *words;

    uint64_t tile() const
    {
        return lookback_tile_elements<T>(block, lines);
    }

    /* Queues the scan of the chunk that follows, in place. */
    cudaError_t queue(const stream_chunk<T> &chunk, cudaStream_t stream)
    {
        const unsigned tiles = static_cast<unsigned>((chunk.count + tile() - 1) / tile());
        const unsigned before = chunk.first ? 0 : 1; /* tiles that stand for the carry */
        cudaError_t error = cuda_words_advance(words, tiles, stream);
        if (error == cudaSuccess && !chunk.first)
            error = cuda_launch_on(stream, {1, CUDA_WARP, 0}, stream_give<T>, all_words(),
                                   words->turn.launch, carry);
        if (error == cudaSuccess)
            error = scan(chunk, tiles, before, stream);
        if (error == cudaSuccess && !chunk.last)
            error = cuda_launch_on(stream, {1, CUDA_WARP, 0}, stream_keep<T>,
                                   all_words() + tiles - 1 + before, carry);
        return error;
    }

  private:
    word *all_words() const
    {
        return cuda_words_of<word>(words);
    }

    cudaError_t scan(const stream_chunk<T> &chunk, unsigned tiles, unsigned before,
                     cudaStream_t stream) const
    {
        const lookback_control<word> control = {all_words(),
                                                cuda_words_tickets(words),
                                                words->failed_tile_on_device,
                                                words->turn.first_ticket - before,
                                                words->turn.launch,
                                                STREAM_WINDOW,
                                                words->patience};
        T *const data = chunk.data - before * tile();
        const cuda_arrays<T> arrays = {data, data, chunk.count + before * tile(), inclusive};
        return cuda_launch_on(stream, {tiles, block, 0}, lookback_kernel_of<Op>(lines), op, arrays,
                              control);
    }
};

#endif
