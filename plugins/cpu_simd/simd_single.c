/*
 * simd_single.c - the scan of one thread: which loop, by instructions, size and address
 */
#include "simd_part.h"

#include <string.h>

static const simd_scans *scans_of(simd_set set, simd_op op)
{
    const bool narrow = simd_is_narrow(op), half = simd_is_half(op);
    switch (set) {
#if defined(__x86_64__)
    case SIMD_AVX512:
        return narrow ? &simd_narrow_avx512 : half ? &simd_half_avx512 : &simd_scans_avx512;
    case SIMD_AVX2:
        return narrow ? &simd_narrow_avx2 : half ? &simd_half_avx2 : &simd_scans_avx2;
#endif
    default:
        return narrow ? &simd_narrow_any : half ? &simd_half_any : &simd_scans_any;
    }
}

/* From which element of a row on does a mask let elements take what lies before them? */
static size_t mask_begin(int which, size_t inner, size_t lanes, uint32_t kind)
{
    const size_t distance = which < SIMD_MASK_TWO ? 0 : (size_t)2 << (which - SIMD_MASK_TWO);
    switch (which) {
    case SIMD_MASK_FIRST:
        return inner;
    case SIMD_MASK_PAIR:
        /* e[i - 1], which is not masked itself, is the row's only from its second element on. */
        return inner > 1 ? SIZE_MAX : kind == SCAN_KIND_EXCLUSIVE ? 2 : 1;
    case SIMD_MASK_SUM:
        return lanes;
    default:
        return inner <= distance ? distance : SIZE_MAX;
    }
}

/* The mask of `count` elements, the first of which is at `place` of a row of `length`. */
static void make_mask(unsigned char *mask, size_t place, size_t count, size_t length, size_t begin,
                      size_t element_bytes)
{
    for (size_t i = 0; i < count; i++)
        memset(mask + i * element_bytes, (place + i) % length >= begin ? 0xff : 0, element_bytes);
}

static void make_rows(simd_rows *rows, const scan_problem *problem, simd_op op, size_t bytes)
{
    const size_t element_bytes = simd_register_bytes(op, scan_result_bytes(problem));
    const size_t lanes = bytes / element_bytes;
    const size_t inner = (size_t)scan_inner(problem), length = (size_t)problem->n * inner;
    const size_t whole = length < 4 * lanes ? 0 : length / lanes - 3;
    const size_t places = length - whole * lanes;
    const bool narrow = simd_is_narrow(op);
    const size_t mask_bytes = narrow ? SIMD_NARROW_MASK_BYTES : bytes;
    const size_t place_bytes = narrow ? element_bytes : SIMD_WORD_MASKS * bytes;
    rows->inner = inner;
    rows->whole = whole;
    rows->step = lanes % places * place_bytes;
    rows->begin_whole = lanes * place_bytes;
    rows->bytes_whole = lanes * place_bytes;
    rows->place_bytes = place_bytes;
    rows->bytes = places * place_bytes;
    for (int which = 0; which < (narrow ? SIMD_MASKS : SIMD_WORD_MASKS); which++) {
        const size_t begin = mask_begin(which, inner, lanes, problem->kind);
        unsigned char *mask = rows->masks + (size_t)which * mask_bytes;
        if (narrow)
            make_mask(mask, 0, places + lanes, places, begin, element_bytes);
        for (size_t place = 0; place < places && !narrow; place++, mask += place_bytes)
            make_mask(mask, place, lanes, places, begin, element_bytes);
    }
}

/* Is `inner` the distance of a window? */
static bool in_windows(size_t inner, size_t lanes)
{
    return inner < lanes && (inner & (inner - 1)) == 0;
}

void simd_single_prepare(simd_single *single, const scan_problem *problem, simd_op op, simd_set set,
                         simd_way way)
{
    const simd_scans *scans = scans_of(set, op);
    const simd_op alone = simd_op_alone(op);
    const size_t elements = (size_t)scan_elements(problem), inner = (size_t)scan_inner(problem);
    if (way == SIMD_BY_SIZE && elements * scan_result_bytes(problem) < SIMD_FAR_BYTES)
        way = SIMD_NEAR;
    const simd_path *path = way == SIMD_FAR_AHEAD     ? &simd_ahead
                            : way == SIMD_FAR_IN_TURN ? &simd_pages_in_turn
                                                      : simd_best_path();
    single->near = scans->near[alone][problem->kind];
    single->far = (way == SIMD_NEAR ? scans->near : scans->far)[alone][problem->kind];
    single->rows = scans->rows[op][problem->kind];
    single->slabs = scans->slabs[op][problem->kind];
    single->element_bytes = problem->element_bytes;
    single->result_bytes = scan_result_bytes(problem);
    single->group_bytes = simd_group(alone) * single->result_bytes;
    single->register_bytes = simd_register_bytes(op, single->result_bytes);
    single->part = (simd_part){.n = (size_t)problem->n * inner,
                               .carry = simd_identities[op],
                               .path = path,
                               .around = way != SIMD_NEAR,
                               .rows = &single->masks};
    single->slab = (simd_slab){.n = (size_t)problem->n, .inner = inner, .around = way != SIMD_NEAR};
    single->outer = elements > 0 ? (size_t)scan_rows(problem) : 0;
    single->by_slabs = !in_windows(inner, scans->bytes / single->register_bytes);
    if (elements > 0 && !single->by_slabs)
        make_rows(&single->masks, problem, op, scans->bytes);
}

/* The address of an element of a buffer, so many bytes from its start. */
static unsigned char *address(scan_buffer buffer, size_t offset)
{
    return (unsigned char *)scan_host_pointer(buffer) + offset;
}

void simd_single_run_rows(const simd_single *single, scan_buffer in, scan_buffer out, size_t first,
                          size_t count)
{
    simd_part part = single->part;
    part.in = address(in, first * part.n * single->element_bytes);
    part.out = address(out, first * part.n * single->result_bytes);
    part.n *= count;
    part.around =
        part.around && simd_can_store_around(&part, single->result_bytes, single->result_bytes);
    single->rows(&part);
}

void simd_single_run_slab(const simd_single *single, scan_buffer in, scan_buffer out, size_t first,
                          size_t count, size_t begin, size_t width)
{
    simd_slab slab = single->slab;
    const size_t index = first * single->part.n + begin;
    slab.in = address(in, index * single->element_bytes);
    slab.out = address(out, index * single->result_bytes);
    slab.rows = count;
    slab.width = width;
    slab.around = slab.around && in != out;
    single->slabs(&slab);
}

size_t simd_slab_width(const simd_single *single, size_t parts)
{
    const size_t inner = single->slab.inner, line = SIMD_LINE_BYTES / single->result_bytes;
    const size_t most = SIMD_SLAB_BYTES / single->register_bytes;
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
    if (simd_can_store_around(&part, single->result_bytes, single->group_bytes))
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
