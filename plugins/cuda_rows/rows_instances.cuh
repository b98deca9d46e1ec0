/*
 * rows_instances.cuh - defines rows_kernels_of, for the files that instantiate it
 */
#ifndef ROWS_INSTANCES_CUH
#define ROWS_INSTANCES_CUH

#include "cuda_instances.cuh"
#include "rows_alone.cuh"
#include "rows_columns.cuh"
#include "rows_kernels.h"
#include "rows_long.cuh"
#include "rows_stream.cuh"
#include "rows_tile.cuh"

template <typename Op, typename From> rows_kernels<Op, From> rows_kernels_of()
{
    using T = typename Op::value;
    rows_kernels<Op, From> of = {};
    of.whole = rows_tile_scan<Op, false, rows_link_words<T>, rows_rules, rows_matrix>;
    of.linked = rows_tile_scan<Op, true, rows_link_words<T>, rows_rules, rows_matrix>;
    of.ahead =
        rows_long_scan<Op, rows_long_lines<T>(), lookahead_words<T>, lookahead_rules, rows_matrix>;
    if constexpr (!rows_is_beside<Op>) {
        of.alone = rows_alone_scan<Op>;
        of.columns = rows_columns_scan<Op, rows_link_words<T>, rows_rules, rows_matrix>;
        if constexpr (std::is_same_v<T, From>)
            of.stream = rows_stream_scan<Op, rows_stream_rules, T>;
    }
    return of;
}

/* Compiles the kernels of an operator; and, for wider results, of a type of elements. */
#define ROWS_COMPILE(...) template rows_kernels<__VA_ARGS__> rows_kernels_of<__VA_ARGS__>()

#endif
