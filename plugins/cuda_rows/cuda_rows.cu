/*
 * cuda_rows.cu - scans of the rows of a matrix, and along any axis of a tensor
 *
 * Rows need nothing of each other. So no row is exchanged between blocks as long as a block can
 * hold it: a tile of whole rows lies in registers (rows_tile.cuh). Longer rows are cut into tiles,
 * which add up totals back to their row's beginning: of few elements a tile is a block's
 * (rows_tile.cuh), many stream through the pipeline with look-ahead (rows_long.cuh). Along an axis
 * that is not the last, each thread has a column if there are enough of them, through shared memory
 * (rows_stream.cuh) or without (rows_alone.cuh), and blocks divide them otherwise
 * (rows_columns.cuh); two columns of 4-byte elements are rows of pairs (rows_beside.cuh). Where
 * rows begin is arithmetic (rows_matrix.h); rows_choice.h says which kernel is taken. One row is a
 * matrix, too. Sums may be wider than their elements, which each kernel converts when it loads
 * them; such columns do not stream.
 *
 * Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
 * NVR-2016-002, for the totals; the segmented scan across a warp is that of Sengupta, Harris, Zhang
 * and Owens, "Scan Primitives for GPU Computing", 2007, with distances in place of flags.
 *
 * Work O(n), moves 2n elements; 3n along columns that are too few to fill the device.
 */
#include "cuda_chained.cuh"
#include "rows_beside.cuh"

struct rows_scan_method : cuda_chained_method<rows_any_launcher> {
    template <typename Visit>
    static scan_status visit(const scan_host *host, const scan_problem *problem, Visit visit)
    {
        if (scan_result(problem) == problem->dtype)
            return cuda_chained_method::visit(host, problem, visit);
        return cuda_visit_wide(host, problem, [&](auto op, auto element) {
            return visit(op, rows_any_launcher<decltype(op), decltype(element)>());
        });
    }

    static rows_settings settings(const scan_problem *problem)
    {
        return {.method = static_cast<rows_method>(problem->tunables[0]),
                .rows = scan_rows(problem),
                .inner = scan_inner(problem)};
    }
};

static const int64_t methods[] = {ROWS_BY_SHAPE, ROWS_WHOLE, ROWS_LINKED, ROWS_LONG,
                                  ROWS_COLUMNS,  ROWS_ALONE, ROWS_STREAM};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_LIST("method",
                      "0: by shape; 1: whole rows in a block, 2: linked tiles, 3: pipeline with "
                      "look-ahead, 4: columns divided among blocks, 5: one in each thread, 6: "
                      "that through shared memory",
                      ROWS_BY_SHAPE, methods),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_rows",
    .name = "Rows in registers, tiles or columns, by shape",
    .version = "1.0",
    .summary =
        "rows of a matrix and any axis of a tensor; nothing is exchanged until rows are long",
    .reference = "Sengupta, Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007; "
                 "Merrill and Garland, Decoupled Look-back, NVR-2016-002",
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_ROWS | SCAN_FLAG_INNER,
    .tile = +ROWS_LINKED_WARPS * +ROWS_PART_BYTES / 4, /* of 4 bytes: a linked one */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    CUDA_CHAINED(rows_scan_method),
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
