/*
 * lookahead_totals.cuh - the prefix of a tile, from the totals of all tiles before it
 *
 * There is no chain: nobody waits for another's prefix, only for totals, which each CTA publishes
 * as soon as it has loaded a tile. One warp of each CTA adds up all of them, once. From one tile of
 * its CTA to the next that is about as many totals as there are CTAs, which its lanes ask for at
 * once: of GROUPS groups, in which they all lie.
 *
 * The order of additions is fixed: totals are folded in groups of GROUP tiles, which begin at
 * multiples of GROUP whatever tiles a CTA happens to get, and the totals of groups from left to
 * right; of the tile's own group, what lies before the tile. So a prefix depends on the totals
 * alone, and float sums have the same bits in every run and on every device.
 *
 * In a matrix of rows a prefix takes in the totals from the tile in which the row begins, whose
 * total is that of what follows the beginning. The groups lie where they lie without rows.
 */
#ifndef LOOKAHEAD_TOTALS_CUH
#define LOOKAHEAD_TOTALS_CUH

#include "cuda_fold.cuh"
#include "lookahead_scan.h"

template <typename Op, typename Words> struct lookahead_totals {
    using T = typename Op::total;
    using word = typename Words::word;
    static constexpr unsigned GROUPS = Words::GROUPS;
    static constexpr unsigned PER_LANE = Words::PER_LANE; /* words of a group that a lane holds */
    static constexpr unsigned GROUP = PER_LANE * CUDA_WARP;

    const typename Words::control &control;
    T before;                         /* the total of all that stands before the groups */
    unsigned first = 0;               /* tile of the first group */
    word held[GROUPS][PER_LANE] = {}; /* the groups' words as far as they are known */
    unsigned patience;

    /* `carry` stands before the first tile. */
    __device__ lookahead_totals(const typename Words::control &given, const T &carry)
        : control(given), before(carry), patience(given.patience)
    {
    }

    /* Before up_to of a tile whose row begins in tile `begun`: forgets earlier rows. */
    __device__ void begin(Op op, unsigned begun)
    {
        if (begun < first)
            return; /* the row of the last call */
        before = op.identity();
        if (begun - first < GROUP)
            return;
        first = begun / GROUP * GROUP;
#pragma unroll
        for (unsigned k = 0; k < GROUPS * PER_LANE; k++)
            at(k) = word();
    }

    /* The total of the tiles from `begun` to before `tile`, which is not before that of the last
     * call. The same in all lanes, which call together. */
    __device__ T up_to(Op op, unsigned tile, unsigned begun = 0)
    {
        for (;;) {
            wait(tile, begun);
#pragma unroll
            for (unsigned g = 0; g < GROUPS; g++) {
                const T total = fold(op, tile, begun);
                if (tile - first < GROUP)
                    return op(before, total);
                before = op(before, total);
                go_on();
            }
        }
    }

  private:
    __device__ unsigned tile_of(unsigned k) const
    {
        return first + k * CUDA_WARP + threadIdx.x % CUDA_WARP;
    }

    __device__ word &at(unsigned k)
    {
        return held[k / PER_LANE][k % PER_LANE];
    }

    /* To the next group. */
    __device__ void go_on()
    {
        first += GROUP;
#pragma unroll
        for (unsigned k = 0; k < GROUPS * PER_LANE; k++)
            at(k) = k + PER_LANE < GROUPS * PER_LANE ? at(k + PER_LANE) : word();
    }

    __device__ bool is_needed(unsigned k, unsigned tile, unsigned begun) const
    {
        return tile_of(k) < tile && tile_of(k) >= begun;
    }

    /* Until the words of the groups' tiles that are needed are there. A warp that has given up once
     * waits for nothing any more, so that its CTA ends soon; the totals that it publishes are
     * right, so the other CTAs are not affected. */
    __device__ void wait(unsigned tile, unsigned begun)
    {
        bool failed = false;
        for (unsigned looks = 0;; looks++) {
            bool missing = false;
#pragma unroll
            for (unsigned k = 0; k < GROUPS * PER_LANE; k++)
                if (is_needed(k, tile, begun) && !Words::is_there(at(k), control.launch))
                    at(k) = Words::load(control.words + tile_of(k));
#pragma unroll
            for (unsigned k = 0; k < GROUPS * PER_LANE; k++)
                missing = missing ||
                          (is_needed(k, tile, begun) && !Words::is_there(at(k), control.launch));
            failed = missing && looks >= patience;
            if (!missing || failed)
                break;
        }
        if (__any_sync(CUDA_ALL_LANES, failed)) {
            patience = 0;
            *control.failed_tile = tile;
        }
    }

    /* The total of the first group's tiles that are needed. */
    __device__ T fold(Op op, unsigned tile, unsigned begun) const
    {
        T total[PER_LANE];
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++)
            total[k] = is_needed(k, tile, begun) ? Words::value(held[0][k]) : op.identity();
        return cuda_fold(op, total);
    }
};

#endif
