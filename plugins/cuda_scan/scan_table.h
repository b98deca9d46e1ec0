/*
 * scan_table.h - which method scans how many bytes fastest, as measured
 *
 * Where the figures come from
 *   - compute capability 9.0 and later: one NVIDIA H200, exclusive sums, `device`. One wave in
 *     registers wins from the least size measured, 400 KB, up to what the registers hold: of i32
 *     4.7 us at 400 KB (look-back 4.9, a cluster 5.2), 5.8 at 4 MB (look-back 7.3) and 11.1 at 16
 *     MB (look-back 11.8, look-ahead 13.0); of f32 5.2, 6.2 and 11.5; of i64 5.3 us at 1.4 MB and
 *     8.7 at 8 MB (look-back 6.4 and 8.9). That it begins at 256 KiB is a guess. A cooperative
 *     launch takes less than tickets (5.61 and 5.86 us at 4 MB), and two blocks a multiprocessor
 *     less than one from 8 MB on (7.46 and 7.74 us; 10.7 and 11.2 at 16 MB), not at 4 MB.
 *     Beyond, look-ahead, by `run` of i32: two blocks a multiprocessor with tiles of 20 KiB win,
 *     from 20 MB on one with tiles of 32 KiB (two 20.8 and one 21.9 us at 18 MB, 23.2 and 22.6 at
 *     20 MB); of f32 from 23 MB on (small 24.2 and large 26.5 us at 20 MB, 28.3 and 28.2 at 24 MB).
 *   - before 9.0 there are neither clusters nor bulk copies; that one block wins up to 16 KiB is
 *     taken over from the H200. What has to be added up in a fixed order, which a look-back has
 *     not, ends with what the registers hold.
 *
 * To measure it anew, on the device in question:
 *
 *     scanbench tune cuda_scan --sizes 1e3..1e9/4 --set method=1,2,3,5
 *
 * The bytes are those of the array: types of 8 bytes change over at half the n, bytes at four times
 * as many. The settings of a choice are those of the plugins' tunables.
 */
#ifndef SCAN_TABLE_H
#define SCAN_TABLE_H

#include "scan_choice.h"

enum : uint64_t { SCAN_KIB = 1024, SCAN_MIB = 1024 * SCAN_KIB };

/* {block, lines, ctas} of one block or cluster; {block, lines, ctas, together} of one wave;
 * {block, lines, window} of a look-back; {block, lines, stages, reducers, ctas, even} of a
 * look-ahead. `lines` is the plugins' tunable `rows`. What leaves the L2 cache first goes by the
 * size. */
#define SCAN_SINGLE(bytes)                        \
    {                                             \
        bytes, SCAN_CUDA_SINGLE, {512, 0, 0}, {}, \
        {                                         \
        }                                         \
    }
#define SCAN_WAVE(bytes, ctas)                 \
    {                                          \
        bytes, SCAN_CUDA_WAVE, {}, {}, {}, {}, \
        {                                      \
            1024, 0, ctas, true                \
        }                                      \
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
    SCAN_SINGLE(256 * SCAN_KIB), SCAN_WAVE(6 * SCAN_MIB, 1), SCAN_WAVE(16 * SCAN_MIB, 2),
    SCAN_LOOKAHEAD_SHORT(18 * SCAN_MIB), SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_90_in_order[] = {
    SCAN_SINGLE(256 * SCAN_KIB), SCAN_WAVE(6 * SCAN_MIB, 1), SCAN_WAVE(16 * SCAN_MIB, 2),
    SCAN_LOOKAHEAD_SHORT(22 * SCAN_MIB), SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older[] = {SCAN_SINGLE(16 * SCAN_KIB),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older_in_order[] = {SCAN_SINGLE(16 * SCAN_KIB),
                                                          SCAN_WAVE(16 * SCAN_MIB, 1)};

/* For a method that is asked for, whatever n is. */
static const scan_choice scan_choices_asked[] = {SCAN_SINGLE(SCAN_ANY_BYTES),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES),
                                                 SCAN_LOOKAHEAD(SCAN_ANY_BYTES),
                                                 {SCAN_ANY_BYTES, SCAN_CUDA_ROWS, {}, {}, {}},
                                                 SCAN_WAVE(SCAN_ANY_BYTES, 1)};

#undef SCAN_SINGLE
#undef SCAN_WAVE
#undef SCAN_LOOKBACK
#undef SCAN_LOOKAHEAD_SHORT
#undef SCAN_LOOKAHEAD

static const scan_table scan_table_measured = {
    {scan_choices_90, 5},    {scan_choices_90_in_order, 5},
    {scan_choices_older, 2}, {scan_choices_older_in_order, 2},
    scan_choices_asked,
};

#endif
