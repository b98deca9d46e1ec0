/*
 * simd_single.c - the scan of one thread: which loop, by instructions, size and address
 */
#include "simd_part.h"

#include <string.h>

static const simd_scans *scans_of(simd_set set)
{
    switch (set) {
#if defined(__x86_64__)
    case SIMD_AVX512:
        return &simd_scans_avx512;
    case SIMD_AVX2:
        return &simd_scans_avx2;
#endif
    default:
        return &simd_scans_any;
    }
}

static void set_mask(unsigned char *mask, size_t lane, size_t element_bytes)
{
    memset(mask + lane * element_bytes, 0xff, element_bytes);
}

/* The masks of a vector that begins at `place` of a row of `length` elements. */
static void make_masks(unsigned char *masks, size_t place, size_t length, size_t inner,
                       scan_kind kind, size_t bytes, size_t element_bytes)
{
    static const size_t distances[SIMD_MASKS] = {
        [SIMD_MASK_TWO] = 2, [SIMD_MASK_FOUR] = 4, [SIMD_MASK_EIGHT] = 8};
    const size_t lanes = bytes / element_bytes;
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t at = (place + lane) % length;
        if (at >= inner)
            set_mask(masks + SIMD_MASK_FIRST * bytes, lane, element_bytes);
        /* e[i - 1], which is not masked itself, is the row's only from its second element on. */
        if (inner == 1 && at >= (kind == SCAN_KIND_EXCLUSIVE ? 2 : 1))
            set_mask(masks + SIMD_MASK_PAIR * bytes, lane, element_bytes);
        for (int which = SIMD_MASK_TWO; which <= SIMD_MASK_EIGHT; which++)
            if (inner <= distances[which] && at >= distances[which])
                set_mask(masks + (size_t)which * bytes, lane, element_bytes);
        if (at >= lanes)
            set_mask(masks + SIMD_MASK_SUM * bytes, lane, element_bytes);
    }
}

static void make_rows(simd_rows *rows, const scan_problem *problem, size_t bytes)
{
    const size_t element_bytes = problem->element_bytes, lanes = bytes / element_bytes;
    const size_t inner = (size_t)scan_inner(problem), length = (size_t)problem->n * inner;
    const size_t whole = length < 4 * lanes ? 0 : length / lanes - 3;
    const size_t places = length - whole * lanes, place_bytes = SIMD_MASKS * bytes;
    memset(rows, 0, sizeof *rows);
    rows->inner = inner;
    rows->whole = whole;
    rows->step = lanes % places * place_bytes;
    rows->begin_whole = lanes * place_bytes;
    rows->bytes_whole = lanes * place_bytes;
    rows->bytes = places * place_bytes;
    for (size_t place = 0; place < places; place++)
        make_masks(rows->masks + place * place_bytes, place, places, inner, problem->kind, bytes,
                   element_bytes);
}

/* Is `inner` the distance of a window? */
static bool in_windows(size_t inner, size_t lanes)
{
    return inner < lanes && (inner & (inner - 1)) == 0;
}

void simd_single_prepare(simd_single *single, const scan_problem *problem, simd_set set,
                         simd_way way)
{
    const simd_op op = simd_op_of(problem);
    const simd_scans *scans = scans_of(set);
    const size_t elements = (size_t)scan_elements(problem), inner = (size_t)scan_inner(problem);
    if (way == SIMD_BY_SIZE && elements * problem->element_bytes < SIMD_FAR_BYTES)
        way = SIMD_NEAR;
    const simd_path *path = way == SIMD_FAR_AHEAD     ? &simd_ahead
                            : way == SIMD_FAR_IN_TURN ? &simd_pages_in_turn
                                                      : simd_best_path();
    single->near = scans->near[op][problem->kind];
    single->far = (way == SIMD_NEAR ? scans->near : scans->far)[op][problem->kind];
    single->rows = scans->rows[op][problem->kind];
    single->slabs = scans->slabs[op][problem->kind];
    single->element_bytes = problem->element_bytes;
    single->part = (simd_part){.n = (size_t)problem->n * inner,
                               .carry = simd_identities[op],
                               .path = path,
                               .around = way != SIMD_NEAR,
                               .rows = &single->masks};
    single->slab = (simd_slab){.n = (size_t)problem->n, .inner = inner, .around = way != SIMD_NEAR};
    single->outer = elements > 0 ? (size_t)scan_rows(problem) : 0;
    single->by_slabs = !in_windows(inner, scans->bytes / problem->element_bytes);
    if (elements > 0 && !single->by_slabs)
        make_rows(&single->masks, problem, scans->bytes);
}

/* The address of element `index` of a buffer. */
static unsigned char *element_at(const simd_single *single, scan_buffer buffer, size_t index)
{
    return (unsigned char *)scan_host_pointer(buffer) + index * single->element_bytes;
}

void simd_single_run_rows(const simd_single *single, scan_buffer in, scan_buffer out, size_t first,
                          size_t count)
{
    simd_part part = single->part;
    part.in = element_at(single, in, first * part.n);
    part.out = element_at(single, out, first * part.n);
    part.n *= count;
    part.around = part.around && simd_can_store_around(&part, single->element_bytes);
    single->rows(&part);
}

void simd_single_run_slab(const simd_single *single, scan_buffer in, scan_buffer out, size_t first,
                          size_t count, size_t begin, size_t width)
{
    simd_slab slab = single->slab;
    const size_t index = first * single->part.n + begin;
    slab.in = element_at(single, in, index);
    slab.out = element_at(single, out, index);
    slab.rows = count;
    slab.width = width;
    slab.around = slab.around && in != out;
    single->slabs(&slab);
}

size_t simd_slab_width(const simd_single *single, size_t parts)
{
    const size_t inner = single->slab.inner, line = SIMD_LINE_BYTES / single->element_bytes;
    const size_t most = SIMD_SLAB_BYTES / single->element_bytes;
    const size_t needed = (inner + most - 1) / most, count = parts > needed ? parts : needed;
    return ((inner + count - 1) / count + line - 1) / line * line;
}

static void run_slabs(const simd_single *single, scan_buffer in, scan_buffer out)
{
    const size_t inner = single->slab.inner, width = simd_slab_width(single, 1);
    for (size_t row = 0; row < single->outer; row++)
        for (size_t begin = 0; begin < inner; begin += width)
            simd_single_run_slab(single, in, out, row, 1, begin,
                                 inner - begin < width ? inner - begin : width);
}

static void run_one(const simd_single *single, scan_buffer in, scan_buffer out)
{
    simd_part part = single->part;
    part.in = scan_host_pointer(in);
    part.out = scan_host_pointer(out);
    if (simd_can_store_around(&part, single->element_bytes))
        single->far(&part);
    else
        single->near(&part);
}

void simd_single_run(const simd_single *single, scan_buffer in, scan_buffer out)
{
    if (single->by_slabs && simd_slab_width(single, 1) >= single->slab.inner)
        simd_single_run_slab(single, in, out, 0, single->outer, 0, single->slab.inner);
    else if (single->by_slabs)
        run_slabs(single, in, out);
    else if (single->outer > 1 || single->slab.inner > 1)
        simd_single_run_rows(single, in, out, 0, single->outer);
    else
        run_one(single, in, out);
}
