/*
 * scan_table.h - which method scans how many bytes fastest, as measured
 *
 * Where the figures come from
 *   - compute capability 9.0 and later: `run` on one NVIDIA H200, i32 exclusive sum. That one wave
 *     in registers begins at 256 KiB and ends at 16 MiB is a first guess, from the times of a
 *     prototype (6.0 us at 4 MB, 11.1 at 16 MB); it has not been measured against the others yet.
 *     From 16 MB on look-ahead takes less than look-back (20.0 and 19.45 us). There two blocks a
 *     multiprocessor with tiles of 20 KiB win, from 20 MB on one with tiles of 32 KiB (two 20.8 and
 *     one 21.9 us at 18 MB, 23.2 and 22.6 at 20 MB); of f32 from 23 MB on (small 24.2 and large
 *     26.5 us at 20 MB, 28.3 and 28.2 at 24 MB).
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

/* {block, lines, ctas}; {block, lines, window}; {block, lines, stages, reducers, ctas, even}.
 * `lines` is the plugins' tunable `rows`. What leaves the L2 cache first goes by the size. */
#define SCAN_SINGLE(bytes)                        \
    {                                             \
        bytes, SCAN_CUDA_SINGLE, {512, 0, 0}, {}, \
        {                                         \
        }                                         \
    }
#define SCAN_WAVE(bytes)                       \
    {                                          \
        bytes, SCAN_CUDA_WAVE, {}, {}, {}, {}, \
        {                                      \
            1024, 0, 1, false                  \
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

static const scan_choice scan_choices_90[] = {SCAN_SINGLE(256 * SCAN_KIB), SCAN_WAVE(16 * SCAN_MIB),
                                              SCAN_LOOKAHEAD_SHORT(18 * SCAN_MIB),
                                              SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_90_in_order[] = {
    SCAN_SINGLE(256 * SCAN_KIB), SCAN_WAVE(16 * SCAN_MIB), SCAN_LOOKAHEAD_SHORT(22 * SCAN_MIB),
    SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older[] = {SCAN_SINGLE(16 * SCAN_KIB),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older_in_order[] = {SCAN_SINGLE(16 * SCAN_KIB),
                                                          SCAN_WAVE(16 * SCAN_MIB)};

/* For a method that is asked for, whatever n is. */
static const scan_choice scan_choices_asked[] = {SCAN_SINGLE(SCAN_ANY_BYTES),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES),
                                                 SCAN_LOOKAHEAD(SCAN_ANY_BYTES),
                                                 {SCAN_ANY_BYTES, SCAN_CUDA_ROWS, {}, {}, {}},
                                                 SCAN_WAVE(SCAN_ANY_BYTES)};

#undef SCAN_SINGLE
#undef SCAN_WAVE
#undef SCAN_LOOKBACK
#undef SCAN_LOOKAHEAD_SHORT
#undef SCAN_LOOKAHEAD

static const scan_table scan_table_measured = {
    {scan_choices_90, 4},    {scan_choices_90_in_order, 4},
    {scan_choices_older, 2}, {scan_choices_older_in_order, 2},
    scan_choices_asked,
};

#endif
