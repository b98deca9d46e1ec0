/*
 * lookahead_words.cuh - how a tile's total reaches the CTAs that need it
 *
 * A status word holds a total, tagged with the number of the launch that it belongs to
 * (cuda_tagged.cuh); a launch stores each word once. Nothing else is published with it: relaxed
 * accesses suffice, and no fence is needed.
 *
 * Words of earlier launches have other numbers, so nothing is cleared between runs. When the
 * numbers are used up, all words are cleared once (cuda_turn_advance).
 */
#ifndef LOOKAHEAD_WORDS_CUH
#define LOOKAHEAD_WORDS_CUH

#include "cuda_ops.cuh"
#include "cuda_tagged.cuh"
#include "lookahead_scan.h"

/* Among the CTAs of one device, of elements T. */
template <typename T>
struct lookahead_words : cuda_tagged_words<cuda_total<T>, cuda_scope::device> {
    using control = lookahead_control<typename cuda_tagged<cuda_total<T>>::word>;

    /* Words that a lane of the warp that looks ahead holds, all of one group of tiles. */
    static constexpr unsigned GROUPS = 1;
    static constexpr unsigned PER_LANE = 64 / sizeof(cuda_total<T>);
};

#endif
