/*
 * wave_scan.h - what a launch of the one-wave kernel is given, and how n elements are divided among
 * its blocks
 */
#ifndef WAVE_SCAN_H
#define WAVE_SCAN_H

#include <algorithm>
#include <cstdint>
#include <cuda_runtime.h>

enum : unsigned {
    WAVE_MOST_LINES = 8,
    WAVE_MOST_TILES = 32 * 32, /* a warp adds up the totals of 32 tiles, and then 32 such sums */
    WAVE_FEW_THREADS = 512     /* of a multiprocessor, as long as they are enough */
};

/* What can be set. */
struct wave_settings {
    unsigned block; /* threads, at most */
    unsigned lines; /* accesses of 16 bytes per thread; 0: by n */
    unsigned ctas;  /* blocks per multiprocessor */
    bool together;  /* all blocks are launched together (cooperatively), and take no tickets */
    bool overlaps = false; /* a launch may overlap the end of the kernel before it */
};

/* A tile is what a block holds: lines of 32 x 16 bytes in each of its warps. */
struct wave_shape {
    unsigned warps; /* 0: n elements are too many */
    unsigned lines;
};

template <typename Word> struct wave_control {
    Word *words;           /* one per tile */
    unsigned *tickets;     /* taken so far, by all launches; NULL: a block takes its index's tile */
    unsigned *failed_tile; /* set to a tile that gave up; in memory of the host */
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned launch;       /* its number, not 0 */
    unsigned patience;     /* looks in vain before a tile gives up */
};

/* Threads of a multiprocessor for which there are registers. */
template <typename T> constexpr unsigned wave_most_threads(unsigned lines)
{
    return sizeof(T) == 8 && lines == 8 ? 768 : 1024;
}

/* Those of a block, at most. */
template <typename T> unsigned wave_threads_for(const wave_settings &wanted, unsigned lines)
{
    return std::min(wanted.block, wave_most_threads<T>(lines) / wanted.ctas / 32 * 32);
}

inline uint64_t wave_tile_bytes(const wave_shape &shape)
{
    return static_cast<uint64_t>(shape.warps) * shape.lines * 32 * 16;
}

/* The shape in which at most `most_tiles` tiles hold n elements, wherever the array begins. Few
 * lines first, because the lines of a thread are scanned one after the other; but a line more
 * before many threads, because threads wait for each other. */
template <typename T>
wave_shape wave_shape_for(const wave_settings &wanted, unsigned most_tiles, uint64_t n)
{
    const uint64_t bytes = n * sizeof(T) + 15; /* it may begin behind a multiple of 16 bytes */
    const unsigned first = wanted.lines > 0 ? wanted.lines : 1;
    const unsigned last = wanted.lines > 0 ? wanted.lines : +WAVE_MOST_LINES;
    for (const unsigned most : {WAVE_FEW_THREADS / wanted.ctas, wanted.block}) {
        for (unsigned lines = first; lines <= last; lines *= 2) {
            const uint64_t of_a_warp = most_tiles * wave_tile_bytes({1, lines});
            const uint64_t warps = (bytes + of_a_warp - 1) / of_a_warp;
            if (warps * 32 <= std::min(most, wave_threads_for<T>(wanted, lines)))
                return {static_cast<unsigned>(warps), lines};
        }
    }
    return {0, 0};
}

#endif
