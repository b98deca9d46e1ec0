/*
 * scan_table.h - which method scans how many bytes fastest, as measured
 *
 * Where the figures come from
 *   - compute capability 9.0 and later: device times of prototypes of these kernels on one NVIDIA
 *     H200, i32 exclusive sum. One block won to 16 KiB and a cluster to 256 KiB (5.1 us against 4.9
 *     of the look-back at 400 KB). Between look-back (6.9 us at 4 MB, 30.9 at 40 MB) and
 *     look-ahead (8.5 and 26.6) the lines through these points cross at 14 MB.
 *     Where a fixed order leaves look-back out, a cluster (5.1 us at 400 KB) is followed by
 *     look-ahead (6.7 us there).
 *   - before 9.0 there are neither clusters nor bulk copies; that one block wins up to 16 KiB is
 *     taken over from the H200.
 *
 * To measure it anew, on the device in question:
 *
 *     scanbench tune cuda_scan --sizes 1e3..1e9/4 --set method=1,2,3
 *
 * The bytes are those of the array: types of 8 bytes change over at half the n. The settings of a
 * row are those of the plugins' tunables.
 */
#ifndef SCAN_TABLE_H
#define SCAN_TABLE_H

#include "scan_choice.h"

enum : uint64_t { SCAN_KIB = 1024, SCAN_MIB = 1024 * SCAN_KIB };

/* {block, rows, ctas}; {block, rows, window}; {block, rows, stages, reducers, ctas, even} */
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
/* Small tiles, so that each block gets about as many. */
#define SCAN_LOOKAHEAD_SHORT(bytes)         \
    {                                       \
        bytes, SCAN_CUDA_LOOKAHEAD, {}, {}, \
        {                                   \
            128, 8, 0, 0, 2, true           \
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
    SCAN_SINGLE(128 * SCAN_KIB), SCAN_LOOKBACK(20 * SCAN_MIB), SCAN_LOOKAHEAD_SHORT(80 * SCAN_MIB),
    SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_90_in_order[] = {SCAN_SINGLE(1200 * SCAN_KIB),
                                                       SCAN_LOOKAHEAD_SHORT(80 * SCAN_MIB),
                                                       SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older[] = {SCAN_SINGLE(16 * SCAN_KIB),
                                                 SCAN_LOOKBACK(SCAN_ANY_BYTES)};
static const scan_choice scan_choices_older_in_order[] = {SCAN_SINGLE(64 * SCAN_KIB)};

/* For a method that is asked for, whatever n is. */
static const scan_choice scan_choices_asked[] = {
    SCAN_SINGLE(SCAN_ANY_BYTES), SCAN_LOOKBACK(SCAN_ANY_BYTES), SCAN_LOOKAHEAD(SCAN_ANY_BYTES)};

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
