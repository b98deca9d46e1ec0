/*
 * input_climb.h - inputs whose running maximum (minimum) shows what an operator that selects does:
 * climb, fall and close
 *
 * Of a type with 2^b values a running maximum changes 2^b - 1 times at most. Where a scan has more
 * elements than that, nearly all outputs are what one element long before them was. So each of
 * these elements counts: climb becomes stairs, of which each step is a single element, and all
 * others lie below the maximum, so that a carry that is lost is seen in every tile. Steps are at
 * random places, and as the first or the last element of the largest blocks of powers of two; so
 * are all elements of the last vector.
 */
#ifndef SCANBENCH_PROBLEM_INPUT_CLIMB_H
#define SCANBENCH_PROBLEM_INPUT_CLIMB_H

#include "problem/component.h"
#include "problem/input.h"
#include "problem/splitmix.h"

#include <math.h>

/* Elements of an input. */
typedef struct climb {
    const input_spec *spec;
    uint64_t first;         /* the index of the first one */
    uint64_t scan_n;        /* elements of a scan */
    const uint64_t *places; /* of each in its scan */
    const uint64_t *words;  /* a hash of each */
    size_t count;
} climb;

enum { WORD_BITS = 64 };

/* An element is moved up by fewer places than this, and as many elements at the end of stairs are
 * steps: those of a vector of bytes. */
enum { CLIMB_NOISE_BITS = 6, CLIMB_LAST = 1 << CLIMB_NOISE_BITS };

/* By how many places an element of that hash is. */
static inline uint64_t noise_of(uint64_t word)
{
    return word >> (WORD_BITS - CLIMB_NOISE_BITS);
}

/* How far up element i is: by its place and noise. The last one of every other scan, as its hash
 * decides, is above all others; if it always were, a carry that is lost before a tail of one
 * element would not be seen. */
static inline uint64_t rise_of(const climb *c, size_t i)
{
    const uint64_t place = c->places[i], word = c->words[i];
    return place + (place + 1 == c->scan_n && word & 1 ? CLIMB_LAST - 1 : noise_of(word));
}

/* Does the running result go down? */
static inline bool climbs_down(const climb *c)
{
    return (op_gives(c->spec->op) == OP_LEAST) != (c->spec->pattern == INPUT_FALL);
}

/* The greatest of a type's numbers in their order, from 0 on: of an integer or a finite float of 16
 * bits, for which both zeros are one. */
FOR_EACH_DTYPE uint64_t last_number(dtype_info type)
{
    if (!component_is_half(type))
        return UINT64_MAX >> (WORD_BITS - type.bits);
    const uint64_t infinity = (UINT64_C(1) << (type.bits - 1)) - (UINT64_C(1) << (type.digits - 1));
    return 2 * (infinity - 1);
}

/* Sets element i to that number of the order. */
FOR_EACH_DTYPE void set_number(dtype_info type, void *out, size_t i, uint64_t number)
{
    const uint64_t middle = last_number(type) / 2;
    if (!component_is_half(type))
        component_set(type, out, i, number ^ (type.is_signed ? middle + 1 : 0), 0);
    else
        ((uint16_t *)out)[i] =
            (uint16_t)(number < middle ? 0x8000U | (middle - number) : number - middle);
}

/* A straight line through the type's range, element i moved up by as much as 63
 * later elements: the running maximum changes every few elements to the end, and in every other
 * scan at the last one. Floats go to half their range, and pass 0 without subnormal numbers; those
 * of 16 bits take all their numbers in order. fall is the same line in the other direction. */
FOR_EACH_DTYPE void fill_line(const climb *c, dtype_info type, void *out)
{
    const uint64_t step = UINT64_MAX / (c->scan_n + CLIMB_LAST);
    const uint64_t flip = climbs_down(c) ? UINT64_MAX : 0;
    const uint64_t sign = type.is_signed ? UINT64_C(1) << (WORD_BITS - 1) : 0;
    const unsigned below = WORD_BITS - type.bits; /* bits of a word that the type lacks */
    const double scale = type.digits > 0 ? ldexp(1, max_exponent(type) - WORD_BITS) : 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t line = (rise_of(c, i) * step) ^ flip;
        const uint64_t rise = line ^ sign;
        if (component_is_half(type)) {
            set_number(type, out, i, (line >> 32) * (last_number(type) + 1) >> 32);
            continue;
        }
        const double real = (double)(int64_t)(rise >> below << below) * scale;
        component_set(type, out, i, rise >> below, real);
    }
}

/* The number from `least` > 0 to `most` that the highest power of two divides. */
static inline uint64_t roundest_of(uint64_t least, uint64_t most)
{
    uint64_t unit = 1;
    while ((least - 1) / (2 * unit) < most / (2 * unit))
        unit *= 2;
    return most / unit * unit;
}

/* Where in a flight of stairs, which begins at a place of its scan and has `width` > 1 elements,
 * the step is. `index` is that of its first element. */
static inline uint64_t step_of(const climb *c, uint64_t begin, uint64_t width, uint64_t index)
{
    enum { FIRST_OF_BLOCK, LAST_OF_BLOCK, WAYS = 4 };
    const uint64_t hash = splitmix_hash(c->spec->seed + (index + c->scan_n) * SPLITMIX_STEP);
    const uint64_t end = begin + width;
    if (hash % WAYS == FIRST_OF_BLOCK)
        return roundest_of(begin > 0 ? begin : 1, end - 1);
    if (hash % WAYS == LAST_OF_BLOCK)
        return roundest_of(begin + 1, end) - 1;
    return begin + hash / WAYS % width;
}

/* How many steps stairs have before their last elements. */
FOR_EACH_DTYPE uint64_t stairs_steps(dtype_info type)
{
    return last_number(type) - CLIMB_LAST;
}

/* Is a line so flat that the noise does not reach many values? */
FOR_EACH_DTYPE bool has_stairs(const climb *c, dtype_info type)
{
    enum { FLAT = 4, MOST_BITS = 16 };
    return type.bits <= MOST_BITS && c->spec->pattern == INPUT_CLIMB &&
           c->scan_n / FLAT > stairs_steps(type);
}

/* Flights of elements below the running maximum, each with one step that is one above it. */
FOR_EACH_DTYPE void fill_stairs(const climb *c, dtype_info type, void *out)
{
    const uint64_t most = last_number(type), inner = input_inner(c->spec);
    const uint64_t last = c->scan_n - CLIMB_LAST, steps = stairs_steps(type);
    const uint64_t width = (last + steps - 1) / steps;
    const bool down = climbs_down(c);
    uint64_t maximum = 0, begin = 0, end = 0, known = UINT64_MAX, step = 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t place = c->places[i];
        if (place < begin || place >= end) {
            maximum = place / width;
            begin = maximum * width;
            end = begin + width;
        }
        const uint64_t index = c->first + i - (place - begin) * inner;
        if (index != known) {
            step = step_of(c, begin, width, index);
            known = index;
        }
        const uint64_t below = (c->words[i] >> 32) * maximum >> 32;
        const uint64_t height = place >= last   ? most - (c->scan_n - 1 - place)
                                : place == step ? maximum + 1
                                                : below;
        set_number(type, out, i, down ? most - height : height);
    }
}

FOR_EACH_DTYPE void fill_climb(const climb *c, dtype_info type, void *out)
{
    if (has_stairs(c, type))
        fill_stairs(c, type, out);
    else
        fill_line(c, type, out);
}

/* climb with steps of one in the last place, up to the greatest integer (down to the least; for
 * types without a sign down from the greatest), or between 1 and 2 (-1 and -2). Of 64 bits the
 * lower word passes 2^31 halfway, the upper one stays, which shows lower words that are compared as
 * signed. Where a scan has more elements than the type has integers, or a float of 16 bits numbers
 * there, several have the same. */
FOR_EACH_DTYPE void fill_close(const climb *c, dtype_info type, void *out)
{
    const bool down = op_gives(c->spec->op) == OP_LEAST;
    const uint64_t most = UINT64_MAX >> (WORD_BITS - type.bits);
    const uint64_t places = type.digits > 0 ? UINT64_C(1) << (type.digits - 1) : 1;
    const uint64_t values = type.digits > 0 ? places : most;
    const uint64_t each = type.digits > 11 ? 1 : 1 + (c->scan_n + CLIMB_LAST) / values;
    const uint64_t span = (c->scan_n + CLIMB_LAST) / each;
    const uint64_t ends = most >> (type.is_signed ? 1 : 0), middle = UINT64_C(1) << 31;
    const uint64_t away = type.bits == WORD_BITS && span < middle ? middle - span / 2 : 0;
    const uint64_t first = !down            ? ends - away - span
                           : type.is_signed ? ends + 1 + away + span
                                            : ends - away;
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t step = rise_of(c, i) / each;
        const double real = 1 + (double)((away + step) % places) / (double)places;
        component_set(type, out, i, down ? first - step : first + step, down ? -real : real);
    }
}

#endif
