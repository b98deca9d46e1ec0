/*
 * rows_scan.h - how the kernels of cuda_rows divide a problem
 */
#ifndef ROWS_SCAN_H
#define ROWS_SCAN_H

#include "rows_matrix.h"

enum : unsigned {
    ROWS_TILE_LINES = 4, /* accesses of 16 bytes of each thread: a warp's part is 2 KiB */
    ROWS_PART_BYTES = ROWS_TILE_LINES * 32 * 16,
    ROWS_MOST_WARPS = 18, /* of a tile, which then holds 36 KiB */
    ROWS_COLUMN_LINES = 8,
    ROWS_MOST_COLUMN_WARPS = 8,
    ROWS_STREAM_POSITIONS = 8, /* of a stage of columns that stream; at most 32 */
    ROWS_STREAM_LOADERS = 3,   /* warps of a block */
    ROWS_MOST_STREAM_STAGES = 5,
    ROWS_MOST_STREAM_COLUMNS = 512, /* of a block, in bytes at most 2 KiB */
    ROWS_MOST_STREAM_BYTES = 2048,
    ROWS_STREAM_SECTOR = 32, /* bytes that are written at once */
    ROWS_MOST_STREAM_WARPS = 24,
    ROWS_ALONE_THREADS = 64, /* of a block of threads with a column each */
    ROWS_ALONE_BYTES = 128   /* of totals: such a thread loads as many elements at once */
};

/* How the columns of a tensor rows x n x inner are divided. A strip is up to 32 columns side by
 * side; a line of a warp is as many positions along the rows as fit into its lanes. A block takes a
 * span of positions in one strip: of some rows, of one, or a part of one. */
struct rows_strips {
    uint64_t positions; /* rows * n */
    uint64_t n;
    uint64_t inner;
    uint64_t span;   /* positions of a block */
    unsigned parts;  /* spans of a row; 1: a span is of whole rows */
    unsigned strips; /* beside each other */
    unsigned width;  /* columns of a strip; 1 ... 32 */
    unsigned depth;  /* positions of a line; width * depth <= 32 */
};

/* How columns stream through shared memory: a block takes a span of positions, of whole rows, in a
 * strip of columns. */
struct rows_stream {
    uint64_t positions; /* rows * n */
    uint64_t n;
    uint64_t inner;
    uint64_t span;   /* positions of a block, a multiple of n */
    unsigned strips; /* beside each other */
    unsigned width;  /* columns of a strip */
    unsigned before; /* columns before a strip that may lie in its first sector */
    unsigned stages;
    unsigned pitch; /* bytes of a position in shared memory, a multiple of 16 */
};

#endif
