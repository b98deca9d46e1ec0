/*
 * cyclic_words.cuh - how a tile's total reaches the CTAs of all devices
 *
 * Each part has a copy of all status words in the memory of its device, and who finds a total
 * stores it into every copy. So nobody polls through the link between the devices: a look is a trip
 * to one's own L2 cache, and each total crosses the link once. The words are tagged with the number
 * of the launch (cuda_tagged.cuh). Nothing else is published with them, so relaxed accesses of
 * system scope suffice.
 *
 * One set of words is enough for all launches: the host waits for all devices before it launches
 * again, and a kernel that has ended has no store under way. So when a launch begins every word has
 * the number of an earlier launch, and gets this one's once.
 */
#ifndef CYCLIC_WORDS_CUH
#define CYCLIC_WORDS_CUH

#include "cuda_tagged.cuh"
#include "cyclic_scan.h"

template <typename T> struct cyclic_words : cuda_tagged_words<T, cuda_scope::system> {
    using control = cyclic_control<typename cuda_tagged<T>::word>;

    /* From one tile of a CTA to its next there are as many totals as CTAs on all devices: 528 on
     * four of 132 multiprocessors. All that are missing should be asked for at once: two trips to
     * the L2 cache take longer than a tile. Small groups waste little where a window of groups
     * begins before the first missing one. */
    static constexpr unsigned GROUPS = 6;
    static constexpr unsigned PER_LANE = 4;
};

#endif
