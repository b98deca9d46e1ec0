/*
 * lookback_scan.h - what a launch of the look-back kernel is given, and how launches are numbered
 */
#ifndef LOOKBACK_SCAN_H
#define LOOKBACK_SCAN_H

#include <cstdint>
#include <cuda_runtime.h>

enum : unsigned {
    LOOKBACK_MOST_LAUNCHES = (1u << 30) - 1, /* that a word can tell apart */
    LOOKBACK_MOST_WINDOW = 4,                /* words that a lane asks for at once */
    LOOKBACK_MOST_ROWS = 8,
    /* Looks in vain before a tile gives up. A look is at least a trip to the L2 cache, so this is
     * seconds; time in which the device runs something else does not count. */
    LOOKBACK_PATIENCE = 1u << 22
};

/* Both arrays are aligned to their elements, no more. */
template <typename T> struct lookback_arrays {
    const T *in;
    T *out;
    uint64_t n;
    bool inclusive;
};

template <typename Word> struct lookback_control {
    Word *words;           /* one per tile */
    unsigned *tickets;     /* taken so far, by all launches */
    unsigned *failed_tile; /* set to a tile that gave up; in memory of the host */
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned launch;       /* its number, 1 ... LOOKBACK_MOST_LAUNCHES */
    unsigned window;       /* 1 ... LOOKBACK_MOST_WINDOW */
    unsigned patience;
};

/* How the launches on one set of words are numbered. All 0: nothing is known about the words. */
struct lookback_turn {
    unsigned launch;
    unsigned first_ticket;
    unsigned tiles; /* of the last launch: it took as many tickets */
};

/* Goes on to a launch of `tiles` tiles. Returns: must words and tickets be set to 0 before it? */
inline bool lookback_advance(lookback_turn *turn, unsigned tiles)
{
    const bool begins = turn->launch == 0 || turn->launch == LOOKBACK_MOST_LAUNCHES;
    turn->first_ticket = begins ? 0 : turn->first_ticket + turn->tiles;
    turn->launch = begins ? 1 : turn->launch + 1;
    turn->tiles = tiles;
    return begins;
}

/* Threads of a block for which there are registers. */
template <typename T> constexpr unsigned lookback_most_threads(unsigned rows)
{
    return sizeof(T) == 8 && rows == 8 ? 768 : 1024;
}

/* Elements of a tile. */
template <typename T> uint64_t lookback_tile_elements(unsigned block, unsigned rows)
{
    return static_cast<uint64_t>(block) * rows * 16 / sizeof(T);
}

/* The most rows for which there are registers and with which every processor gets a tile. The fewer
 * tiles, the shorter the chain. */
template <typename T> unsigned lookback_rows_for(uint64_t n, unsigned block, unsigned processors)
{
    unsigned rows = LOOKBACK_MOST_ROWS;
    while (rows > 1 && (block > lookback_most_threads<T>(rows) ||
                        n / lookback_tile_elements<T>(block, rows) < processors))
        rows /= 2;
    return rows;
}

#endif
