/*
 * scan_table.h - which method scans how many bytes fastest, as measured
 *
 * Where the figures come from
 *   - compute capability 9.0 and later: `run` on one NVIDIA H200, i32 exclusive sum. A cluster and
 *     look-back take the same time from 20 to 220 KB (11.9 us at 126 KB both) and look-back less
 *     from there on (12.3 against 12.6 us at 400 KB); from 16 MB on look-ahead takes less
 *     (look-back 19.05 and look-ahead 19.2 us at 14 MB, 20.0 and 19.45 at 16 MB). There two blocks
 *     a multiprocessor with tiles of 20 KiB win, from 20 MB on one with tiles of 32 KiB (two 20.8
 *     and one 21.9 us at 18 MB, 23.2 and 22.6 at 20 MB).
 *     Where a fixed order leaves look-back out, for f32, a cluster (13.6 us at 0.8 MB) is followed
 *     by look-ahead (cluster 17.2 and look-ahead 14.65 us at 1.2 MB), with the large tiles from
 *     23 MB on (small 24.2 and large 26.5 us at 20 MB, 28.3 and 28.2 at 24 MB).
 *   - before 9.0 there are neither clusters nor bulk copies; that one block wins up to 16 KiB is
 *     taken over from the H200.
 *
 * To measure it anew, on the device in question:
 *
 *     scanbench tune cuda_scan --sizes 1e3..1e9/4 --set method=1,2,3
 *
 * The bytes are those of the array: types of 8 bytes change over at half the n, bytes at four times
 * as many. The settings of a choice are those of the plugins' tunables.
 */
#ifndef SCAN_TABLE_H
#define SCAN_TABLE_H

#include "scan_choice.h"

enum : uint64_t { SCAN_KIB = 1024, SCAN_MIB = 1024 * SCAN_KIB };

/* {block, lines, ctas}; {block, lines, window}; {block, lines, stages, reducers, ctas, even}.
 * `lines` is the plugins' tunable `rows`. What leaves the L2 cache first goes by the size. */
#define SCAN_SINGLE(bytes)                        \
    {                                             \
        bytes, SCAN_CUDA_SINGLE, {512, 0, 0}, {}, \
        {                                         \
        }                                         \
    }
#define SCAN_LOOKBACK(bytes)                           \
    {                                                  \
        bytes, SCAN_CUDA_LOOKBACK, {}, {1024, 0, 128}, \
        {                                              \
        }                                              \
    }
/* More and smaller tiles under way. */
#define SCAN_LOOKAHEAD_SHORT(bytes)         \
    {                                       \
        bytes, SCAN_CUDA_LOOKAHEAD, {}, {}, \
        {                                   \
            160, 8, 0, 0, 2, false          \
        }                                   \
    }
#define SCAN_LOOKAHEAD(bytes)               \
    {                                       \
        bytes, SCAN_CUDA_LOOKAHEAD, {}, {}, \
        {                                   \
            256, 8, 0, 0, 0, false          \
        }                                   \
    }

static const scan_choice scan_choices_90[] = {
    SCAN_SINGLE(256 * SCAN_KIB), SCAN_LOOKBACK(14 * SCAN_MIB), SCAN_LOOKAHEAD_SHORT(18 * SCAN_MIB),
    SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_90_in_order[] = {SCAN_SINGLE(900 * SCAN_KIB),
                                                       SCAN_LOOKAHEAD_SHORT(22 * SCAN_MIB),
                                                       SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older[] = {SCAN_SINGLE(16 * SCAN_KIB),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older_in_order[] = {SCAN_SINGLE(64 * SCAN_KIB)};

/* For a method that is asked for, whatever n is. */
static const scan_choice scan_choices_asked[] = {SCAN_SINGLE(SCAN_ANY_BYTES),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES),
                                                 SCAN_LOOKAHEAD(SCAN_ANY_BYTES),
                                                 {SCAN_ANY_BYTES, SCAN_CUDA_ROWS, {}, {}, {}}};

#undef SCAN_SINGLE
#undef SCAN_LOOKBACK
#undef SCAN_LOOKAHEAD_SHORT
#undef SCAN_LOOKAHEAD

static const scan_table scan_table_measured = {
    {scan_choices_90, 4},    {scan_choices_90_in_order, 3},
    {scan_choices_older, 2}, {scan_choices_older_in_order, 1},
    scan_choices_asked,
};

#endif
