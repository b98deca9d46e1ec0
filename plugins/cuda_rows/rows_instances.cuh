/*
 * rows_instances.cuh - defines rows_kernels_of, for the files that instantiate it
 */
#ifndef ROWS_INSTANCES_CUH
#define ROWS_INSTANCES_CUH

#include "rows_alone.cuh"
#include "rows_columns.cuh"
#include "rows_kernels.h"
#include "rows_long.cuh"
#include "rows_stream.cuh"
#include "rows_tile.cuh"

template <typename Op> rows_kernels<Op> rows_kernels_of(Op)
{
    using T = typename Op::value;
    rows_kernels<Op> of = {};
    of.whole = rows_tile_scan<Op, false, rows_link_words<T>, rows_rules, rows_matrix>;
    of.linked = rows_tile_scan<Op, true, rows_link_words<T>, rows_rules, rows_matrix>;
    of.ahead =
        rows_long_scan<Op, ROWS_LONG_LINES, lookahead_words<T>, lookahead_rules, rows_matrix>;
    if constexpr (!rows_is_beside<Op>) {
        of.alone = rows_alone_scan<Op, T>;
        of.stream = rows_stream_scan<Op, rows_stream_rules, T>;
        of.columns = rows_columns_scan<Op, rows_link_words<T>, rows_rules, rows_matrix>;
    }
    return of;
}

#endif
