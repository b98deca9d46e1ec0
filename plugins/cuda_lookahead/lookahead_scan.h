/*
 * lookahead_scan.h - what a launch of the look-ahead kernel is given, and how it is divided
 */
#ifndef LOOKAHEAD_SCAN_H
#define LOOKAHEAD_SCAN_H

#include "cuda_bulk.cuh"
#include "cuda_ops.cuh"

#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>

enum : unsigned {
    LOOKAHEAD_NO_TILE = ~0u,
    LOOKAHEAD_MOST_SCANNERS = 16,
    LOOKAHEAD_MOST_BLOCK = LOOKAHEAD_MOST_SCANNERS * 32, /* threads that scan */
    LOOKAHEAD_MOST_REDUCERS = 4,
    LOOKAHEAD_MOST_THREADS = (2 + 2 + LOOKAHEAD_MOST_SCANNERS) * 32, /* fewer with more reducers */
    LOOKAHEAD_LEAST_STAGES = 2, /* one is given back only when the next one is loaded */
    LOOKAHEAD_MOST_STAGES = 16
};

/* How a CTA is divided: one warp that loads, one that looks ahead, and these. */
struct lookahead_shape {
    unsigned reducers; /* warps; 1 ... LOOKAHEAD_MOST_REDUCERS */
    unsigned scanners; /* warps, each with its part of every tile; 1 ... LOOKAHEAD_MOST_SCANNERS */
    unsigned stages;   /* LOOKAHEAD_LEAST_STAGES ... LOOKAHEAD_MOST_STAGES */
    bool evicts_input = false; /* what is loaded leaves the L2 cache before what is stored */
};

inline unsigned lookahead_threads(const lookahead_shape &shape)
{
    return (2 + shape.reducers + shape.scanners) * 32;
}

/* One device scans all tiles. Another control (cuda_cyclic's) has these members and functions, too.
 */
template <typename Word> struct lookahead_control {
    Word *words;           /* one per tile */
    unsigned *tickets;     /* taken so far, by all launches */
    unsigned *failed_tile; /* set to a tile whose prefix did not come; in memory of the host */
    unsigned tiles;
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned launch;       /* its number, not 0 */
    unsigned patience;

    /* The number of a tile of this launch among all whose totals are in `words`. */
    __device__ unsigned number_of(unsigned tile) const
    {
        return tile;
    }

    /* By a whole warp, whose last lane has the tile's total. */
    template <typename Words, typename T> __device__ void publish(unsigned tile, T total) const
    {
        if (threadIdx.x % 32 == 31)
            Words::store(words + tile, launch, total);
    }
};

/* What belongs to a stage beside its tile. */
template <typename T> struct lookahead_slot {
    cuda_phases loaded;                          /* the tile is in the stage */
    cuda_phases ready;                           /* prefix and parts are there */
    cuda_phases free;                            /* nobody needs the stage any more */
    cuda_total<T> prefix;                        /* of all that stands left of the tile */
    cuda_total<T> part[LOOKAHEAD_MOST_SCANNERS]; /* of what stands left of each part in the tile */
    unsigned tile;                               /* LOOKAHEAD_NO_TILE: there are no more */
    unsigned position; /* if the array has rows: of the tile's first element in its row, */
    unsigned begun;    /* the tile in which that row begins, */
    unsigned divided;  /* and a bit for each part in which a row begins */
};

/* Elements of a tile; `lines` of 32 x 16 bytes are a part. */
template <typename T> uint64_t lookahead_tile_elements(unsigned scanners, unsigned lines)
{
    return static_cast<uint64_t>(scanners) * lines * 32 * 16 / sizeof(T);
}

/* Bytes of a stage with its slot, for elements From. */
template <typename T, typename From = T>
uint64_t lookahead_stage_bytes(unsigned scanners, unsigned lines)
{
    return lookahead_tile_elements<T>(scanners, lines) * sizeof(From) + sizeof(lookahead_slot<T>);
}

/* Bytes of the two rooms for tiles of wider results: none if these lie where the elements were. */
template <typename T, typename From>
uint64_t lookahead_rooms_bytes(unsigned scanners, unsigned lines)
{
    const bool is_wide = !std::is_same_v<T, From>;
    return is_wide ? 2 * lookahead_tile_elements<T>(scanners, lines) * sizeof(T) : 0;
}

/* Of shared memory. */
template <typename T, typename From = T>
uint64_t lookahead_shared(const lookahead_shape &shape, unsigned lines)
{
    return lookahead_rooms_bytes<T, From>(shape.scanners, lines) +
           shape.stages * lookahead_stage_bytes<T, From>(shape.scanners, lines);
}

#endif
