/*
 * simd_part.h - what the loops are called with, a table of them for each set of instructions, and
 * the choice among them
 */
#ifndef SIMD_PART_H
#define SIMD_PART_H

#include "simd_set.h"

#include <stddef.h>

/* ---- paths of prefetches ----------------------------------------------------- */

enum { SIMD_LINE_BYTES = 64, SIMD_PAGE_BYTES = 4096, SIMD_AHEAD_BYTES = 3072 };
enum { SIMD_ROW_LINES = 4, SIMD_ROW_BYTES = SIMD_ROW_LINES * SIMD_LINE_BYTES };
enum { SIMD_BLOCK_ROWS = 64, SIMD_BLOCK_BYTES = SIMD_BLOCK_ROWS * SIMD_ROW_BYTES };

/*
 * Which lines are prefetched while a row is read: four, from `first` bytes after the block's begin.
 * One core waits for as many lines at once as it can, but the prefetchers of the hardware stop at
 * the end of a page. Prefetching somewhat ahead carries them over it (of 512 bytes to 16 KiB, 3 KiB
 * are the best; exactly a page is up to a fifth slower); prefetching the next four pages in turn
 * keeps four of their streams busy. Which is faster depends on the CPU.
 */
typedef struct simd_path {
    size_t first;
    size_t line_step; /* from one line of a row to the next */
    size_t row_step;  /* and to the first of the next row */
} simd_path;

static const simd_path simd_ahead = {SIMD_AHEAD_BYTES, SIMD_LINE_BYTES, SIMD_ROW_BYTES};
static const simd_path simd_pages_in_turn = {SIMD_BLOCK_BYTES, SIMD_PAGE_BYTES, SIMD_LINE_BYTES};

/* The faster one, as measured on cores of Intel (in turn by 15 %) and AMD (ahead by half). */
static inline const simd_path *simd_best_path(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_is("intel"))
        return &simd_pages_in_turn;
#endif
    return &simd_ahead;
}

/* ---- rows ---------------------------------------------------------------------- */

/* For a vector: which elements take what lies before them, as that is in their row? One mask for
 * each step of a scan by windows (simd_scan.h). */
typedef enum simd_mask {
    SIMD_MASK_FIRST, /* an exclusive scan's e[i] */
    SIMD_MASK_PAIR,  /* the element before e[i] */
    SIMD_MASK_SUM,   /* the output one vector before */
    SIMD_MASK_TWO,   /* the window that ends two elements before, four, and so on */
    SIMD_MASK_FOUR,
    SIMD_MASK_EIGHT,
    SIMD_MASK_SIXTEEN, /* of elements of fewer than 4 bytes */
    SIMD_MASK_THIRTY_TWO,
    SIMD_MASKS
} simd_mask;

enum { SIMD_WORD_MASKS = SIMD_MASK_EIGHT + 1 };
enum { SIMD_MOST_BYTES = 64, SIMD_MOST_WORDS = SIMD_MOST_BYTES / 4 };
enum { SIMD_NARROW_MASK_BYTES = (4 + 1) * SIMD_MOST_BYTES };

/*
 * Rows that lie one behind the other. Where in its row a vector begins, its place, says all, so its
 * masks are made once for each place. Long rows have four vectors of places at most: for whole
 * vectors in the middle, whose masks are all the same, the place of the second vector stays.
 *
 * Of elements of 4 and 8 bytes a place has its masks side by side. With smaller ones there are too
 * many places for the first-level cache: there a mask is an array for the elements of a row and
 * another vector, of which a vector loads what begins at its place.
 *
 * With `inner` scans side by side an element follows the one `inner` places before. If that is a
 * power of two and less than L it is one of the distances of windows; the masks of smaller ones
 * are empty.
 */
typedef struct simd_rows {
    size_t inner;
    size_t whole;       /* vectors for which the place in the middle stays */
    size_t step;        /* from the masks of a vector to those of the next one, in bytes */
    size_t begin_whole; /* the masks of places in the middle, in bytes from the first */
    size_t bytes_whole;
    size_t place_bytes; /* from a place to the next one */
    size_t bytes;       /* of all places */
    _Alignas(64) unsigned char masks[4 * SIMD_MOST_WORDS * SIMD_WORD_MASKS * SIMD_MOST_BYTES];
} simd_rows;

/* ---- the loops ---------------------------------------------------------------- */

/* Elements to scan, in memory of any alignment. `out` may be `in`. */
typedef struct simd_part {
    const unsigned char *in;
    unsigned char *out;
    size_t n;
    simd_value carry; /* what comes before them */
    const simd_path *path;
    bool around;           /* for loops that can store either way */
    const simd_rows *rows; /* for loops that scan rows */
} simd_part;

typedef void simd_scan(const simd_part *part);

/* `width` scans side by side in each of some rows, of `n` elements each, `inner` elements apart. */
typedef struct simd_slab {
    const unsigned char *in;
    unsigned char *out;
    size_t rows, n, inner;
    size_t width; /* of no more than SIMD_SLAB_BYTES in registers */
    bool around;  /* are the outputs stored around the caches? */
} simd_slab;

/* Their carries and outputs stay in a core's first-level cache. */
enum { SIMD_SLAB_BYTES = 8 << 10 };

typedef void simd_slab_scan(const simd_slab *slab);

typedef struct simd_scans {
    size_t bytes; /* of a vector */
    /* A single row, with the operator of simd_op_alone. */
    simd_scan *near[SIMD_OPS][SCAN_KIND_COUNT];
    simd_scan *far[SIMD_OPS][SCAN_KIND_COUNT];
    simd_scan *rows[SIMD_OPS][SCAN_KIND_COUNT]; /* many rows, either way */
    simd_slab_scan *slabs[SIMD_OPS][SCAN_KIND_COUNT];
} simd_scans;

extern const simd_scans simd_scans_any, simd_scans_avx2, simd_scans_avx512;
/* For integers of 1 and 2 bytes, and for floats of 2; the others are empty there. */
extern const simd_scans simd_narrow_any, simd_narrow_avx2, simd_narrow_avx512;
extern const simd_scans simd_half_any, simd_half_avx2, simd_half_avx512;

/* ---- the choice --------------------------------------------------------------- */

/* Outputs of more bytes are stored around the caches. On a core with 1 MiB of second-level and a
 * share of 32 MiB of third-level cache the two ways meet at 8 to 12 MB. */
#define SIMD_FAR_BYTES ((size_t)8 << 20)

/* Can the output be stored around the caches, line by line? No `group_bytes` may lie in two lines.
 * In place it is in the caches already. */
static inline bool simd_can_store_around(const simd_part *part, size_t result_bytes,
                                         size_t group_bytes)
{
    return part->in != part->out && (uintptr_t)part->out % group_bytes == 0 &&
           part->n * result_bytes >= (size_t)2 * SIMD_BLOCK_BYTES;
}

typedef enum simd_way { SIMD_BY_SIZE, SIMD_NEAR, SIMD_FAR_AHEAD, SIMD_FAR_IN_TURN } simd_way;

/* The scan of one thread for one problem. */
typedef struct simd_single {
    simd_scan *near;
    simd_scan *far; /* or `near` */
    simd_scan *rows;
    simd_slab_scan *slabs;
    size_t element_bytes, result_bytes;
    size_t group_bytes;    /* of the results that share a place in a vector (simd_group) */
    size_t register_bytes; /* of an element */
    simd_part part;        /* without its addresses */
    simd_slab slab;        /* likewise */
    size_t outer;          /* rows of the problem */
    bool by_slabs;         /* is a scan of slabs called for, as several lie side by side? */
    simd_rows masks;
} simd_single;

/* `op` is that of the problem (simd_accurate_op). */
void simd_single_prepare(simd_single *single, const scan_problem *problem, simd_op op, simd_set set,
                         simd_way way);
void simd_single_run(const simd_single *single, scan_buffer in, scan_buffer out);

/* A share of it: `count` rows from row `first` on. */
void simd_single_run_rows(const simd_single *single, scan_buffer in, scan_buffer out, size_t first,
                          size_t count);
/* The scans of a slab where there are `parts` slabs at least, of whole lines. */
size_t simd_slab_width(const simd_single *single, size_t parts);
/* Of those rows the scans side by side from number `begin` on, `width` of them. */
void simd_single_run_slab(const simd_single *single, scan_buffer in, scan_buffer out, size_t first,
                          size_t count, size_t begin, size_t width);

#endif
