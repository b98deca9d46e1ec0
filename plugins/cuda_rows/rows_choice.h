/*
 * rows_choice.h - which kernel scans a tensor rows x n x inner, and how it divides it
 *
 * Rows that a block can hold (36 KiB) are scanned whole. Longer ones are cut into tiles: of few
 * elements each tile is a block's, and the blocks look for each other's totals; many stream through
 * the pipeline with look-ahead. With inner > 1 blocks divide the columns, unless there are enough
 * of them to fill the device: then each thread takes one, and from compute capability 9.0 on
 * through shared memory, if many lie side by side. Two columns of 4-byte elements are rows of pairs
 * instead, where pairs are aligned (rows_beside.cuh).
 *
 * The pipeline begins about where it overtakes linked tiles on an H200. `device` of exclusive sums
 * in us, linked and pipeline: rows of 65,536 i32, 4 MiB, 6.3 and 7.9; of i64, 8 MiB, 10.3 and 10.3;
 * one row of 10^6 i64 10.8 and 11.1; 64 rows of 50,257 i32, 12.3 MiB, 12.7 and 11.5.
 */
#ifndef ROWS_CHOICE_H
#define ROWS_CHOICE_H

#include "rows_scan.h"

enum rows_method : unsigned {
    ROWS_BY_SHAPE = 0,
    ROWS_WHOLE = 1,   /* tiles of whole rows */
    ROWS_LINKED = 2,  /* tiles of one size, whose blocks add up totals */
    ROWS_LONG = 3,    /* the pipeline with look-ahead, from compute capability 9.0 on; rows of a
                         warp's part at least */
    ROWS_COLUMNS = 4, /* divided among blocks */
    ROWS_ALONE = 5,   /* a column in each thread */
    ROWS_STREAM = 6   /* the same through shared memory, from compute capability 9.0 on */
};

enum : unsigned {
    ROWS_LINKED_BYTES = 15u << 19, /* 7.5 MiB; more than this is ROWS_LONG */
    ROWS_LINKED_WARPS = 8,
    /* Every block loads the words of all earlier tiles of its row. So where there is no pipeline,
     * arrays of more than ROWS_MANY_TILES tiles are cut into fewer and larger ones. */
    ROWS_LINKED_MOST_WARPS = 16,
    ROWS_MANY_TILES = 4096
};

/* Tiles of whole rows. */
struct rows_whole {
    unsigned warps;    /* of a block; 0: not even ROWS_MOST_WARPS hold a row */
    uint64_t elements; /* of the rows of a tile */
};

/* `aligned`: the array begins at a multiple of 16 bytes; so do all rows if their length is one,
 * too. Returns the number of warps that leaves the fewest lanes without work, and of two that
 * differ by less than 2 % the smaller. A row that fits into eight warps never gets more. */
inline rows_whole rows_whole_for(uint64_t length, unsigned element_bytes, bool aligned)
{
    const unsigned of_part = ROWS_PART_BYTES / element_bytes, of_vector = 16 / element_bytes;
    const unsigned slack = aligned && length % of_vector == 0 ? 0 : of_vector - 1;
    rows_whole best = {0, 0};
    double fullest = 0;
    for (unsigned warps = 1; warps <= ROWS_MOST_WARPS; warps++) {
        const uint64_t room = warps * of_part - slack;
        if (room < length || (warps > 8 && best.warps > 0))
            continue;
        const uint64_t elements = room / length * length;
        const double full = static_cast<double>(elements) / (warps * of_part);
        if (full > fullest + 0.02 || best.warps == 0) {
            best = {warps, elements};
            fullest = full;
        }
    }
    return best;
}

inline unsigned rows_linked_warps(uint64_t bytes)
{
    return bytes / (+ROWS_LINKED_WARPS * +ROWS_PART_BYTES) > ROWS_MANY_TILES
               ? +ROWS_LINKED_MOST_WARPS
               : +ROWS_LINKED_WARPS;
}

/* A strip's width is inner, or a multiple of eight columns. */
inline unsigned rows_strip_width(uint64_t inner)
{
    if (inner <= 32)
        return static_cast<unsigned>(inner);
    const uint64_t strips = (inner + 31) / 32;
    return static_cast<unsigned>(((inner + strips - 1) / strips + 7) / 8 * 8);
}

/* Columns side by side that a warp accesses in whole lines, and enough of them: 192 threads of each
 * processor, where `resident` is as below, keep enough loads on their way. */
inline bool rows_are_alone(uint64_t rows, uint64_t inner, unsigned resident)
{
    return inner >= 32 && rows * inner >= UINT64_C(48) * resident;
}

/* Fewer than 64 columns side by side, or 128 of whole sectors, are accessed as fast without shared
 * memory. */
inline rows_method rows_column_method(uint64_t rows, uint64_t inner, unsigned bytes,
                                      unsigned resident, bool has_stream)
{
    if (!rows_are_alone(rows, inner, resident))
        return ROWS_COLUMNS;
    const bool narrow = inner < (inner * bytes % ROWS_STREAM_SECTOR == 0 ? 128 : 64);
    return has_stream && !narrow ? ROWS_STREAM : ROWS_ALONE;
}

struct rows_columns {
    rows_strips strips;
    unsigned warps;  /* of a block */
    uint64_t blocks; /* one for each span of each strip */
};

/* `resident`: blocks of ROWS_MOST_COLUMN_WARPS warps that the device holds at once. If the columns
 * are so few that half of the device would have no work, long rows are divided, and their elements
 * are read twice. */
inline bool rows_may_be_divided(uint64_t rows, uint64_t inner, unsigned resident)
{
    const uint64_t width = rows_strip_width(inner);
    return rows * ((inner + width - 1) / width) < (resident + 1) / 2;
}

inline rows_columns rows_columns_for(uint64_t rows, uint64_t n, uint64_t inner, unsigned resident)
{
    rows_columns of = {};
    rows_strips &strips = of.strips;
    strips = {rows * n, n, inner, n, 1, 0, rows_strip_width(inner), 0};
    strips.strips = static_cast<unsigned>((inner + strips.width - 1) / strips.width);
    strips.depth = 32 / strips.width;
    const uint64_t part = static_cast<uint64_t>(ROWS_COLUMN_LINES) * strips.depth;
    const uint64_t parts = (n + part - 1) / part;
    of.warps =
        parts < ROWS_MOST_COLUMN_WARPS ? static_cast<unsigned>(parts) : +ROWS_MOST_COLUMN_WARPS;
    const uint64_t together = of.warps * part;
    const uint64_t of_rows = rows * strips.strips;
    if (n <= together) {
        strips.span = together / n * n;
    } else if (rows_may_be_divided(rows, inner, resident)) {
        const uint64_t wanted = (resident + of_rows - 1) / of_rows;
        strips.span = ((n + wanted - 1) / wanted + together - 1) / together * together;
        strips.parts = static_cast<unsigned>((n + strips.span - 1) / strips.span);
    }
    of.blocks = strips.parts > 1
                    ? of_rows * strips.parts
                    : (strips.positions + strips.span - 1) / strips.span * strips.strips;
    return of;
}

/* Words of the totals of divided rows, at most. */
inline uint64_t rows_column_words(unsigned resident)
{
    return UINT64_C(2) * 32 * resident;
}

/* May strips of columns begin within sectors? Their blocks then scan some columns of the strip
 * before, which they must not in place. */
inline bool rows_stream_cuts(const void *in, const void *out, uint64_t inner_bytes)
{
    const auto both = reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out);
    return in != out && (both | inner_bytes) % ROWS_STREAM_SECTOR != 0;
}

/* Strips of columns that stream, of elements of `bytes`, for rows of any length: such that the
 * multiprocessor with the most of them has the fewest columns, those included that a block scans
 * for its neighbour. `cut`: a strip may begin within a sector, and scan columns before it for that.
 * `shared`: bytes that a block may have; for fewer than two stages they are too few.
 *
 * That a block costs as much as 16 columns more, the loaders, and stages in half of the memory, so
 * that two blocks fit, are what was fastest of sums of 4 bytes on an H200, at inner = 100, 512,
 * 1001, 4095, 4096, 50256 and 50257. */
inline rows_stream rows_stream_for(uint64_t rows, uint64_t inner, unsigned bytes, bool cut,
                                   unsigned processors, uint64_t shared)
{
    const unsigned sector = +ROWS_STREAM_SECTOR / bytes;
    const unsigned columns = +ROWS_MOST_STREAM_BYTES / bytes;
    const uint64_t most =
        (columns < +ROWS_MOST_STREAM_COLUMNS ? columns : +ROWS_MOST_STREAM_COLUMNS) - sector;
    rows_stream of = {};
    of.inner = inner;
    of.before = cut ? sector - 1 : 0;
    uint64_t least = UINT64_MAX;
    for (uint64_t strips = (inner + most - 1) / most; strips * 64 <= inner + 64; strips++) {
        const uint64_t width = ((inner + strips - 1) / strips + sector - 1) / sector * sector;
        const uint64_t of_processor = (rows * strips + processors - 1) / processors;
        const uint64_t cost = of_processor * (width + 16);
        if (cost < least) {
            least = cost;
            of.width = static_cast<unsigned>(width);
        }
        if (of_processor > 8)
            break;
    }
    of.strips = static_cast<unsigned>((inner + of.width - 1) / of.width);
    of.pitch = ((of.width + of.before) * bytes + 15 + 15) / 16 * 16;
    const uint64_t stages = shared / 2 / (of.pitch * +ROWS_STREAM_POSITIONS);
    of.stages =
        stages > ROWS_MOST_STREAM_STAGES ? +ROWS_MOST_STREAM_STAGES : static_cast<unsigned>(stages);
    return of;
}

/* The same for rows of n, whole ones in each block. */
inline rows_stream rows_stream_of(rows_stream strips, uint64_t rows, uint64_t n)
{
    strips.n = n;
    strips.positions = rows * n;
    for (strips.span = n;
         strips.span < 4 * ROWS_STREAM_POSITIONS && strips.span < strips.positions;)
        strips.span += n;
    return strips;
}

#endif
