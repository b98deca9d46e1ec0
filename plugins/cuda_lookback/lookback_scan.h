/*
 * lookback_scan.h - what a launch of the look-back kernel is given, and the tiles it has
 */
#ifndef LOOKBACK_SCAN_H
#define LOOKBACK_SCAN_H

#include <cstdint>
#include <cuda_runtime.h>

enum : unsigned {
    LOOKBACK_MOST_WINDOW = 4, /* words that a lane asks for at once */
    LOOKBACK_MOST_LINES = 8
};

/* What can be set. */
struct lookback_settings {
    unsigned block;  /* threads */
    unsigned lines;  /* accesses of 16 bytes per thread; 0: by n */
    unsigned window; /* tiles whose words a look-back asks for at once */
};

template <typename Word> struct lookback_control {
    Word *words;           /* one per tile */
    unsigned *tickets;     /* taken so far, by all launches; NULL: a block takes its index's tile */
    unsigned *failed_tile; /* set to a tile that gave up; in memory of the host */
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned launch;       /* its number, 1 ... CUDA_MOST_LAUNCHES */
    unsigned window;       /* 1 ... LOOKBACK_MOST_WINDOW */
    unsigned patience;
};

/* Threads of a block for which there are registers. */
template <typename T> constexpr unsigned lookback_most_threads(unsigned lines)
{
    return sizeof(T) == 8 && lines == 8 ? 768 : 1024;
}

/* Elements of a tile. */
template <typename T> uint64_t lookback_tile_elements(unsigned block, unsigned lines)
{
    return static_cast<uint64_t>(block) * lines * 16 / sizeof(T);
}

/* The fewest lines with which no processor gets a second tile, or else the most for which there are
 * registers: one tile each takes the time of one, and beyond that few tiles are a short chain. */
template <typename T> unsigned lookback_lines_for(uint64_t n, unsigned block, unsigned processors)
{
    unsigned most = LOOKBACK_MOST_LINES, lines = 1;
    while (most > 1 && block > lookback_most_threads<T>(most))
        most /= 2;
    while (lines < most && n > processors * lookback_tile_elements<T>(block, lines))
        lines *= 2;
    return lines;
}

#endif
