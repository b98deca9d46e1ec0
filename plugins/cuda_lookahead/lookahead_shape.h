/*
 * lookahead_shape.h - how a CTA of the look-ahead kernel is divided, from what is wanted and what
 * the device holds
 */
#ifndef LOOKAHEAD_SHAPE_H
#define LOOKAHEAD_SHAPE_H

#include "cuda_load.h"
#include "lookahead_scan.h"

/* Whether what is loaded leaves the L2 cache before what is stored. */
enum lookahead_eviction : unsigned {
    LOOKAHEAD_EVICTS_BY_SIZE,
    LOOKAHEAD_EVICTS_NO_INPUT,
    LOOKAHEAD_EVICTS_INPUT
};

struct lookahead_settings {
    unsigned block;    /* threads that scan */
    unsigned lines;    /* accesses of 16 bytes per thread */
    unsigned stages;   /* 0: as many as fit */
    unsigned reducers; /* 0: by the operator */
    unsigned ctas;     /* per multiprocessor, which share its memory; 0: as many as fit */
    bool even;         /* fewer warps scan, down to half, if that divides the tiles more evenly */
    lookahead_eviction eviction = LOOKAHEAD_EVICTS_BY_SIZE;
};

/* As many stages as shared memory holds. */
template <typename T, typename From>
unsigned lookahead_stages_for(const cuda_limits &device, const lookahead_settings &wanted,
                              unsigned scanners)
{
    constexpr uint64_t taken_of_each = 1024; /* by the device, beside what a block asks for */
    uint64_t room = device.max_shared;
    if (wanted.ctas > 1) {
        const uint64_t share = device.shared_of_processor / wanted.ctas;
        room = share > taken_of_each ? share - taken_of_each : 0;
    }
    const uint64_t taken = lookahead_rooms_bytes<T, From>(scanners, wanted.lines);
    const uint64_t fit =
        room > taken ? (room - taken) / lookahead_stage_bytes<T, From>(scanners, wanted.lines) : 0;
    return fit < LOOKAHEAD_LEAST_STAGES  ? +LOOKAHEAD_LEAST_STAGES
           : fit > LOOKAHEAD_MOST_STAGES ? +LOOKAHEAD_MOST_STAGES
                                         : static_cast<unsigned>(fit);
}

/* An input is read once. Where an array fills half to two thirds of the L2 cache, both do not fit,
 * and the output stays there if the input leaves first. On an H200 (60 MiB of L2), i32 sums of 8 x
 * 10^6 take 3 to 4 % less; those of 10^7 0 to 2 %, by the run; 1.2 x 10^7 take as long, and 10^8
 * take 4 % more. */
inline bool lookahead_evicts_input(const cuda_limits &device, const lookahead_settings &wanted,
                                   uint64_t bytes)
{
    if (wanted.eviction != LOOKAHEAD_EVICTS_BY_SIZE)
        return wanted.eviction == LOOKAHEAD_EVICTS_INPUT;
    return bytes > device.l2_cache / 2 && bytes <= device.l2_cache / 3 * 2;
}

/* `reducers` find totals as fast as memory delivers tiles. */
template <typename T, typename From = T>
lookahead_shape lookahead_shape_for(const cuda_limits &device, const lookahead_settings &wanted,
                                    unsigned scanners, unsigned reducers)
{
    lookahead_shape shape = {};
    shape.scanners = scanners;
    shape.reducers = wanted.reducers > 0 ? wanted.reducers : reducers;
    shape.stages =
        wanted.stages > 0 ? wanted.stages : lookahead_stages_for<T, From>(device, wanted, scanners);
    return shape;
}

/* Percent of the CTAs' time that is work, if all tiles take equally long: in the last of their
 * rounds some CTAs have no tile. */
inline unsigned lookahead_fullness(uint64_t n, uint64_t tile, uint64_t ctas)
{
    const uint64_t rounds = (n + tile * ctas - 1) / (tile * ctas);
    return rounds == 0 ? 100 : static_cast<unsigned>(n * 100 / (rounds * tile * ctas));
}

/* The fewest warps that may scan. */
inline unsigned lookahead_least_scanners(const lookahead_settings &wanted)
{
    const unsigned most = wanted.block / 32;
    return wanted.even ? (most + 1) / 2 : most;
}

/* The number of warps that scan n elements, on resident[s] CTAs of s such warps: of those with
 * which the rounds are fullest, within a percent, the most, because large tiles cost less. */
template <typename T>
unsigned lookahead_scanners_for(const lookahead_settings &wanted, uint64_t n,
                                const unsigned *resident)
{
    const unsigned most = wanted.block / 32;
    unsigned best = most, fullest = 0;
    for (unsigned scanners = most; scanners >= lookahead_least_scanners(wanted); scanners--) {
        const unsigned fullness = lookahead_fullness(
            n, lookahead_tile_elements<T>(scanners, wanted.lines), resident[scanners]);
        if (fullness > fullest + 1 || scanners == most) {
            fullest = fullness;
            best = scanners;
        }
    }
    return best;
}

#endif
