/*
 * lookahead_scan.h - what a launch of the look-ahead kernel is given, and how launches are numbered
 */
#ifndef LOOKAHEAD_SCAN_H
#define LOOKAHEAD_SCAN_H

#include "cuda_bulk.cuh"

#include <cstdint>
#include <cuda_runtime.h>

enum : unsigned {
    LOOKAHEAD_NO_TILE = ~0u,
    LOOKAHEAD_MOST_SCANNERS = 16,
    LOOKAHEAD_MOST_BLOCK = LOOKAHEAD_MOST_SCANNERS * 32, /* threads that scan */
    LOOKAHEAD_MOST_REDUCERS = 2,
    LOOKAHEAD_MOST_THREADS = (2 + LOOKAHEAD_MOST_REDUCERS + LOOKAHEAD_MOST_SCANNERS) * 32,
    LOOKAHEAD_LEAST_STAGES = 2, /* one is given back only when the next one is loaded */
    LOOKAHEAD_MOST_STAGES = 16,
    /* Looks in vain before a CTA gives up. A look is at least a trip to the L2 cache, so this is
     * seconds; time in which the device runs something else does not count. */
    LOOKAHEAD_PATIENCE = 1u << 22
};

/* How a CTA is divided: one warp that loads, one that looks ahead, and these. */
struct lookahead_shape {
    unsigned reducers; /* warps; 1 ... LOOKAHEAD_MOST_REDUCERS */
    unsigned scanners; /* warps, each with its part of every tile; 1 ... LOOKAHEAD_MOST_SCANNERS */
    unsigned stages;   /* LOOKAHEAD_LEAST_STAGES ... LOOKAHEAD_MOST_STAGES */
};

inline unsigned lookahead_threads(const lookahead_shape &shape)
{
    return (2 + shape.reducers + shape.scanners) * 32;
}

/* Both arrays are aligned to their elements, no more. */
template <typename T> struct lookahead_arrays {
    const T *in;
    T *out;
    uint64_t n;
    bool inclusive;
};

template <typename Word> struct lookahead_control {
    Word *words;           /* one per tile */
    unsigned *tickets;     /* taken so far, by all launches */
    unsigned *failed_tile; /* set to a tile whose prefix did not come; in memory of the host */
    unsigned tiles;
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned launch;       /* its number, not 0 */
    unsigned patience;
};

/* What belongs to a stage beside its tile. */
template <typename T> struct lookahead_slot {
    cuda_phases loaded;              /* the tile is in the stage */
    cuda_phases ready;               /* prefix and parts are there */
    cuda_phases free;                /* nobody needs the stage any more */
    T prefix;                        /* of all that stands left of the tile */
    T part[LOOKAHEAD_MOST_SCANNERS]; /* of what stands left of each part in the tile */
    unsigned tile;                   /* LOOKAHEAD_NO_TILE: there are no more */
};

/* Elements of a tile, and bytes of a stage with its slot. `rows` of 32 x 16 bytes are a part. */
template <typename T> uint64_t lookahead_tile_elements(unsigned scanners, unsigned rows)
{
    return static_cast<uint64_t>(scanners) * rows * 32 * 16 / sizeof(T);
}

template <typename T> uint64_t lookahead_stage_bytes(unsigned scanners, unsigned rows)
{
    return lookahead_tile_elements<T>(scanners, rows) * sizeof(T) + sizeof(lookahead_slot<T>);
}

/* How the launches on one set of words are numbered. All 0: nothing is known about the words. */
struct lookahead_turn {
    unsigned launch;
    unsigned first_ticket;
    unsigned tickets; /* that the last launch took */
};

/* Goes on to a launch of `ctas` CTAs; each of them takes a ticket too many before it ends. Returns:
 * must words and tickets be set to 0 before it? */
inline bool lookahead_advance(lookahead_turn *turn, unsigned tiles, unsigned ctas)
{
    const bool begins = turn->launch == 0 || turn->launch == ~0u;
    turn->first_ticket = begins ? 0 : turn->first_ticket + turn->tickets;
    turn->launch = begins ? 1 : turn->launch + 1;
    turn->tickets = tiles + ctas;
    return begins;
}

#endif
