/* input_pattern.c - the patterns' words, their use and what they guarantee */
#include "problem/input.h"

#include <string.h>

const char *pattern_name(uint32_t pattern)
{
#define INPUT_WORD(name, word) word,
    static const char *const words[] = {INPUT_PATTERN_MAP(INPUT_WORD)};
#undef INPUT_WORD
    return pattern < INPUT_PATTERN_COUNT ? words[pattern] : "?";
}

int pattern_find(const char *word)
{
    for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++)
        if (strcmp(word, pattern_name(pattern)) == 0)
            return (int)pattern;
    return -1;
}

input_pattern input_default(uint32_t op)
{
    return op_selects(op) ? INPUT_CLIMB : INPUT_RANDOM;
}

uint32_t input_result(const input_spec *spec)
{
    return result_dtype(spec->dtype, spec->result);
}

uint64_t input_scan_n(const input_spec *spec)
{
    const uint64_t n = spec->scan_n ? spec->scan_n : spec->n;
    return n ? n : 1;
}

uint64_t input_inner(const input_spec *spec)
{
    return spec->inner ? spec->inner : 1;
}

input_place input_place_of(const input_spec *spec, uint64_t index)
{
    input_place place = {.column = index % input_inner(spec), .at = index / input_inner(spec)};
    if (spec->scan_n > 0) { /* otherwise elements behind the last one are of the same scan */
        place.row = place.at / spec->scan_n;
        place.at %= spec->scan_n;
    }
    return place;
}

uint64_t input_index_of(const input_spec *spec, input_place place)
{
    return (place.row * input_scan_n(spec) + place.at) * input_inner(spec) + place.column;
}

bool input_same(const input_spec *a, const input_spec *b)
{
    return a->dtype == b->dtype && a->result == b->result && a->op == b->op &&
           a->pattern == b->pattern && a->seed == b->seed && a->n == b->n &&
           a->position == b->position && input_scan_n(a) == input_scan_n(b) &&
           input_inner(a) == input_inner(b);
}

bool input_begins(const input_spec *a, const input_spec *b)
{
    const bool is_half_wide = dtype_get(a->dtype)->digits == 11; /* random f16: by the length */
    const bool by_place = a->pattern == INPUT_EXACT || a->pattern == INPUT_ALTERNATING ||
                          (a->pattern == INPUT_RANDOM && !is_half_wide);
    input_spec as_long = *a;
    if (a->scan_n > 0 || b->scan_n > 0 || input_inner(a) > 1)
        return false;
    as_long.n = b->n;
    return by_place && input_same(&as_long, b);
}

unsigned input_spread_bits(const input_spec *spec)
{
    enum { OF_F16 = 15, OF_BF16 = 20 };
    const bool spread = dtype_is_half(spec->dtype) && input_result(spec) == SCAN_DTYPE_F64;
    return !spread ? 0 : spec->dtype == SCAN_DTYPE_F16 ? OF_F16 : OF_BF16;
}

bool input_is_exact(const input_spec *spec)
{
    if (!op_rounds(spec->op, spec->dtype))
        return true;
    const unsigned digits = dtype_get(input_result(spec))->digits;
    const unsigned more = digits - dtype_get(spec->dtype)->digits - input_spread_bits(spec);
    if (spec->pattern == INPUT_ONES) /* a sum has the digits of f32 at least */
        return input_scan_n(spec) <= UINT64_C(1) << (digits < FLT_MANT_DIG ? FLT_MANT_DIG : digits);
    if (spec->pattern == INPUT_FACTORS)
        return dtype_get(spec->dtype)->components == 1;
    return spec->pattern != INPUT_RANDOM || input_scan_n(spec) <= (UINT64_C(1) << more) - 1;
}
