/*
 * input.c - counter-based inputs, element by element
 *
 * Element i comes from a hash of seed and i: the finaliser of splitmix64 (splitmix.h) over a Weyl
 * sequence. The patterns exact, alternating and float extremes are differences x[i] = h(i) -
 * h(i-1) of a chosen h with h(-1) = 0, so that the sum of x[j] ... x[k] is h(k) - h(j-1), which
 * needs no rounding in any association. With a[i] = +-1 the same holds under affine for the pairs
 * where b[i] = h(i) - a[i]*h(i-1). In a tensor i - 1 is the element before i in its scan.
 *
 * Hashing takes most of the time, 1 ns per element where products of 64 bits come one by one; with
 * AVX-512 a quarter of that.
 */
#include "problem/input.h"

#include "problem/component.h"
#include "problem/input_climb.h"
#include "problem/op_scan.h"
#include "problem/splitmix.h"

#include <math.h>
#include <string.h>

/* How many words are made at a time: few enough for the first-level cache. Words and conversions
 * are separate loops, so that both stay short. */
#define BLOCK 256u

typedef struct block {
    const input_spec *spec;
    uint64_t first;
    size_t count;
    uint64_t scan_n;           /* elements of a scan */
    uint64_t words[1 + BLOCK]; /* words[1 + i] belongs to element first + i */
    uint64_t *before;          /* before[i] to the one before it in its scan; 0: none */
    uint64_t *places;          /* where element first + i lies in its scan */
    uint64_t room[2][BLOCK];   /* for both, unless words serve as before */
} block;

FOR_EACH_DTYPE void hash_range(uint64_t *words, uint64_t start, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = splitmix_hash(start + i * SPLITMIX_STEP);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx512f,avx512dq,avx512vl"))) static void
hash_wide(uint64_t *words, uint64_t start, size_t count)
{
    hash_range(words, start, count);
}

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#else
#define hash_wide hash_range
static bool has_wide(void)
{
    return false;
}
#endif

/* Some processors run slower for a moment after wide products. So inputs whose scan may take less
 * than that do without, where it is timed. */
#define WIDE_LEAST (UINT64_C(1) << 24)

/* The words of `count` elements from element `first`, which may lie before the first one. */
static void hash_from(const input_spec *spec, uint64_t first, uint64_t *words, size_t count)
{
    const uint64_t golden = SPLITMIX_STEP;
    const uint64_t start = splitmix_hash(spec->seed + golden) + (first + 1) * golden;
    if ((spec->untimed || spec->n >= WIDE_LEAST) && has_wide())
        hash_wide(words, start, count);
    else
        hash_range(words, start, count);
}

/* Fills words[1 ... count] and words[0] for the element before them, and sets before and places. */
static void hash_words(block *part)
{
    const input_spec *spec = part->spec;
    const uint64_t inner = input_inner(spec);
    input_place here = input_place_of(spec, part->first);
    part->scan_n = input_scan_n(spec);
    part->places = part->room[0];
    hash_from(spec, part->first - 1, part->words, part->count + 1);
    if (inner == 1 &&
        (spec->scan_n == 0 || part->count <= spec->scan_n - here.at)) { /* of one scan */
        part->before = part->words;
        for (size_t i = 0; i < part->count; i++)
            part->places[i] = here.at + i;
        if (here.at == 0)
            part->words[0] = 0;
        return;
    }
    part->before = part->room[1];
    if (inner == 1)
        memcpy(part->before, part->words, part->count * sizeof *part->words);
    else
        hash_from(spec, part->first - inner, part->before, part->count);
    for (size_t i = 0; i < part->count; i++) {
        part->places[i] = here.at;
        if (here.at == 0)
            part->before[i] = 0;
        if (++here.column == inner) {
            here.column = 0;
            here.at = here.at + 1 == spec->scan_n ? 0 : here.at + 1;
        }
    }
}

/* How many low bits of a word are dropped so that every sum of neighbours is exact. */
FOR_EACH_DTYPE unsigned exact_shift(dtype_info type)
{
    return WORD_BITS - type.exact;
}

/* v and 0 in turn, so that the differences are +v, -v; bit 0, from which pairs take their sign,
 * alternates too. */
static void alternate_words(block *part, unsigned shift)
{
    enum { BIT = 44 }; /* v is not 0 with this bit, nor, shifted, with bit `shift` */
    const uint64_t set = UINT64_C(1) << (shift > BIT ? shift : BIT) | 1;
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t before = part->before[i];
        const bool even = (part->places[i] & 1) == 0;
        part->words[1 + i] = even ? part->words[1 + i] | set : 0;
        part->before[i] = even ? 0 : before | set;
    }
}

/* 1 or -1 by the lowest bit, without an unpredictable branch. */
static inline int32_t sign_of(uint64_t word)
{
    return 1 - 2 * (int32_t)(word & 1);
}

/* integer * unit, a product that needs no rounding in a float of this type. */
FOR_EACH_DTYPE double real_of(dtype_info type, uint64_t integer, double unit)
{
    if (type.bits == 32)
        return (double)((float)(int32_t)integer * (float)unit);
    return (double)(int64_t)integer * unit;
}

/* Below, component `last` of element i is the scalar itself or the half b of a pair, and a lies
 * before it. */

/* What random floats are multiples of. Those of f16 get smaller the longer a scan is, down to
 * multiples of its least number, so that sums stay below 2^15 up to 2^28 elements. */
FOR_EACH_DTYPE double random_unit(const block *part, dtype_info type)
{
    enum { MOST = 15, LEAST = 13 };
    double unit = 1 / (double)(UINT64_C(1) << type.digits);
    for (int halved = 0; type.digits == 11 && halved < LEAST; halved++)
        unit *= part->scan_n >> (MOST + halved) > 0 ? 0.5 : 1;
    return unit;
}

FOR_EACH_DTYPE void fill_random(const block *part, dtype_info type, void *out)
{
    const double unit = random_unit(part, type);
    const bool spread = component_is_half(type);
    const double larger = ldexp(unit, (int)input_spread_bits(part->spec));
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i];
        const size_t last = type.components * (i + 1) - 1;
        const uint64_t upper = word >> (WORD_BITS - (type.digits > 0 ? type.digits : type.bits));
        if (type.components == 2)
            component_set(type, out, last - 1, word | 1, sign_of(word));
        component_set(type, out, last, upper,
                      real_of(type, upper, spread && word & 1 ? larger : unit));
    }
}

/* The factor of a recurrence in floats: 1 or -1, and now and then 2, or 1/2 to undo it, so that
 * products stay between 1/2 and 2. */
static inline double factor_of(uint64_t index, uint64_t word)
{
    const double size = index % 64 == 10 ? 2.0 : index % 64 == 42 ? 0.5 : 1.0;
    return word & 1 ? -size : size;
}

/* A wave of whole numbers that begins at 0, rises and falls by at most 1 from element to element,
 * up to a quarter of its length and down to the same below 0. */
static inline int64_t wave_of(uint64_t place, int64_t length)
{
    const int64_t at = (int64_t)(place % (uint64_t)length);
    return at < length / 4 + 1 ? at : at < length - length / 4 ? length / 2 - at : at - length;
}

/* Differences of levels as of exact, but of a wave, so that the running result needs more bits than
 * the type has: a level is `steep` times the wave, and the `bits` uppermost bits of the word more.
 */
FOR_EACH_DTYPE void fill_wave(const block *part, dtype_info type, int64_t length, int64_t steep,
                              unsigned bits, double scale, void *out)
{
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t at = part->places[i];
        const int64_t wave = wave_of(at, length);
        const int64_t rise = at > 0 ? wave - wave_of(at - 1, length) : 0;
        const uint64_t noise = part->words[1 + i] >> (WORD_BITS - bits);
        const uint64_t before = part->before[i] >> (WORD_BITS - bits);
        component_set(type, out, i, 0, (double)(steep * rise + (int64_t)(noise - before)) * scale);
    }
}

/* exact, on floats of 16 bits: up to 18 (bf16: 15) bits, of f16 up to 63872, so that it is rounded
 * between its last powers of two, too, and stays finite. The length is none of a tile. */
FOR_EACH_DTYPE void fill_exact_halves(const block *part, dtype_info type, void *out)
{
    enum { LENGTH = 1994 };
    fill_wave(part, type, LENGTH, INT64_C(1) << type.exact, type.exact,
              type.digits == 11 ? 0x1p-2 : 1, out);
}

/* h(i) is the word without its lowest `shift` bits, times `scale` for floats. */
FOR_EACH_DTYPE void fill_differences(const block *part, dtype_info type, unsigned shift,
                                     double scale, void *out)
{
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i];
        const uint64_t level = word >> shift, before = part->before[i] >> shift;
        const size_t last = type.components * (i + 1) - 1;
        if (type.components == 1) {
            component_set(type, out, i, level - before, real_of(type, level - before, scale));
            continue;
        }
        const uint64_t sign = (uint64_t)sign_of(word);
        const double factor = factor_of(part->places[i], word);
        component_set(type, out, last - 1, sign, factor);
        component_set(type, out, last, level - sign * before,
                      (real_of(type, level, 1) - factor * real_of(type, before, 1)) * scale);
    }
}

/* The differences of marks; for pairs, what the recurrence needs to give them. */
FOR_EACH_DTYPE void fill_marks(const block *part, dtype_info type, void *out)
{
    const uint64_t top = UINT64_C(1) << (type.bits - 1);
    const uint64_t integers[] = {0, UINT64_MAX, top, top - 1};
    static const double reals[] = {0, -1, 1, 2};
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i];
        const uint64_t mark = word >> 62, before = part->before[i] >> 62;
        const size_t last = type.components * (i + 1) - 1;
        const int32_t sign = type.components == 2 ? sign_of(word) : 1;
        if (type.components == 2)
            component_set(type, out, last - 1, (uint64_t)sign, sign);
        component_set(type, out, last, integers[mark] - (uint64_t)sign * integers[before],
                      reals[mark] - sign * reals[before]);
    }
}

/* Random integers in the upper sixteenth of those that are positive. */
FOR_EACH_DTYPE void fill_growing(const block *part, dtype_info type, void *out)
{
    enum { UPPER_BITS = 4, UPPER = (1 << UPPER_BITS) - 1 };
    const unsigned random = type.bits - (type.is_signed ? 1 : 0) - UPPER_BITS;
    const uint64_t least = (uint64_t)UPPER << random;
    for (size_t i = 0; i < part->count; i++)
        component_set(type, out, i, least | part->words[1 + i] >> (WORD_BITS - random), 0);
}

/* The ends of an integer type, and values on which signed and unsigned comparison differ. In every
 * other stretch of a sum the value of the greatest size alone, of which the fewest overflow. */
FOR_EACH_DTYPE void fill_integer_extremes(const block *part, dtype_info type, void *out)
{
    const bool sums = type.components == 1 && op_gives(part->spec->op) == OP_ADDS;
    enum { STRETCH = 1024 };
    const uint64_t top = UINT64_C(1) << (type.bits - 1);
    const uint64_t of_signed[] = {top, top - 1, UINT64_MAX, 1};
    const uint64_t of_unsigned[] = {0, UINT64_MAX, top, top - 1};
    const uint64_t of_odd[] = {1, UINT64_MAX, top + 1, top - 1};
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i];
        const size_t last = type.components * (i + 1) - 1;
        const unsigned one_in_32 = (word >> 8) % 32;
        if (type.components == 2) /* now and then 0, which drops the carry, or an even one */
            component_set(type, out, last - 1,
                          one_in_32 == 0   ? 0
                          : one_in_32 == 1 ? 6
                                           : of_odd[word & 3],
                          0);
        const bool alike = sums && part->places[i] / STRETCH % 2 == 1;
        const uint64_t which = alike ? !type.is_signed : word >> 62;
        component_set(type, out, last, (type.is_signed ? of_signed : of_unsigned)[which], 0);
    }
}

/* Pairs as fill_differences makes of levels 0 and `level`, with a factor 0 now and then, which
 * drops the carry: what divides by products of factors is wrong from there on. */
FOR_EACH_DTYPE void fill_broken_chains(const block *part, dtype_info type, double level, void *out)
{
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i], top = WORD_BITS - 1;
        const double usual = factor_of(part->places[i], word);
        const double factor = (word >> 8) % 32 == 0 ? 0 : usual;
        const double now = (double)(word >> top), before = (double)(part->before[i] >> top);
        component_set(type, out, 2 * i, 0, factor);
        component_set(type, out, 2 * i + 1, 0, (now - factor * before) * level);
    }
}

/* The largest floats, and now and then an infinity; for operators that add, differences of the
 * largest, so that sums stay finite. A sum of pairs is at most six times the level. */
FOR_EACH_DTYPE void fill_float_extremes(const block *part, dtype_info type, void *out)
{
    const double most = ldexp(1 - ldexp(1, -(int)type.digits), max_exponent(type));
    const double finite[] = {-most, most, -1, 1};
    enum { LENGTH = 14 };
    if (type.digits == 11 && op_gives(part->spec->op) == OP_ADDS) /* which f32 holds */
        fill_wave(part, type, LENGTH, 1, 1, most / 2, out);
    else if (type.components == 2)
        fill_broken_chains(part, type, ldexp(1, max_exponent(type) - 4), out);
    else if (op_gives(part->spec->op) == OP_ADDS)
        fill_differences(part, type, WORD_BITS - 1, most, out);
    else
        for (size_t i = 0; i < part->count; i++) {
            const uint64_t word = part->words[1 + i];
            const unsigned one_in_64 = (word >> 8) % 64;
            component_set(type, out, i, 0,
                          one_in_64 == 0   ? -INFINITY
                          : one_in_64 == 1 ? INFINITY
                                           : finite[word >> 62]);
        }
}

/* Multiples of `least`, the least subnormal number: differences of levels for operators that add, a
 * climb through 0 in steps of it for those that select. Pairs have a = +-1, as in marks, and levels
 * half as large, so that b stays exact. */
FOR_EACH_DTYPE void fill_subnormals(const block *part, dtype_info type, void *out)
{
    const double least = ldexp(1, 3 - max_exponent(type) - (int)type.digits);
    const bool selects = op_selects(part->spec->op), down = op_gives(part->spec->op) == OP_LEAST;
    const unsigned shift = WORD_BITS - type.digits + (type.components == 2 ? 1 : 0);
    const uint64_t middle = (part->scan_n + 64) / 2;
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i];
        const uint64_t rise = part->places[i] + (word >> 58) - middle;
        const int32_t sign = type.components == 2 ? sign_of(word) : 1;
        const uint64_t sum = (word >> shift) - (uint64_t)sign * (part->before[i] >> shift);
        const uint64_t count = !selects ? sum : down ? -rise : rise;
        const size_t last = type.components * (i + 1) - 1;
        if (type.components == 2)
            component_set(type, out, last - 1, 0, sign);
        component_set(type, out, last, 0, (double)(int64_t)count * least);
    }
}

/* Sets element `position`, if it is in this block, to `value`. */
FOR_EACH_DTYPE void set_at_position(const block *part, dtype_info type, const any_element *value,
                                    void *out)
{
    const uint64_t position = part->spec->position;
    if (position >= part->first && position - part->first < part->count)
        memcpy((unsigned char *)out + (position - part->first) * type.bytes, value, type.bytes);
}

/* A level between 1 and 2, of either sign, and 1 before the first element. */
static inline double level_of(uint64_t word)
{
    const double size = 1 + (double)(word >> 40) * 0x1p-24;
    return word & 1 ? -size : size;
}

/* a[i] = h(i)/h(i-1), so that a product of neighbours is h(k)/h(j-1) but for rounding, and b[i]
 * with the sign of h(i): then b[j]*a[j+1]*...*a[k] has the sign of h(k), whatever j is. */
FOR_EACH_DTYPE void fill_factors(const block *part, dtype_info type, void *out)
{
    for (size_t i = 0; i < part->count; i++) {
        const uint64_t word = part->words[1 + i];
        const double level = level_of(word), term = (double)(word >> 8 & 0xffffff) * 0x1p-24;
        component_set(type, out, 2 * i, 0, level / level_of(part->before[i]));
        component_set(type, out, 2 * i + 1, 0, copysign(term, level));
    }
}

FOR_EACH_DTYPE void set_nan(const block *part, dtype_info type, void *out)
{
    const any_element nan =
        element_of(part->spec->dtype, type.components == 2 ? 1 : (double)NAN, (double)NAN);
    set_at_position(part, type, &nan, out);
}

/* `one` everywhere, but `other` at element `position`. */
FOR_EACH_DTYPE void fill_constant(const block *part, dtype_info type, const any_element *one,
                                  const any_element *other, void *out)
{
    unsigned char *to = out;
    for (size_t i = 0; i < part->count; i++)
        memcpy(to + i * type.bytes, one, type.bytes);
    set_at_position(part, type, other, out);
}

FOR_EACH_DTYPE void fill_ones(const block *part, dtype_info type, void *out)
{
    const any_element one = element_of(part->spec->dtype, 1, 1);
    fill_constant(part, type, &one, &one, out);
}

FOR_EACH_DTYPE void fill_impulse(const block *part, dtype_info type, void *out)
{
    const input_spec *spec = part->spec;
    /* neither symmetric nor a power of two; exact in the type, but in no narrower float */
    const double second = !component_is_half(type) ? 1234567 : type.digits == 11 ? 1357 : 211;
    const double value = type.components == 2 ? 7654321 : second;
    const any_element impulse = element_of(spec->dtype, value, second);
    const any_element identity = op_identity(spec->op, spec->dtype);
    fill_constant(part, type, &identity, &impulse, out);
}

/* The pattern, or exact where it is another word for that. */
FOR_EACH_DTYPE uint32_t pattern_on(dtype_info type, const input_spec *spec)
{
    bool differs = true;
    switch (spec->pattern) {
    case INPUT_CLIMB:
    case INPUT_FALL:
    case INPUT_CLOSE:
        differs = op_selects(spec->op);
        break;
    case INPUT_MARKS:
        differs = op_gives(spec->op) == OP_ADDS;
        break;
    case INPUT_SUBNORMALS:
    case INPUT_NAN:
        differs = type.digits > 0;
        break;
    case INPUT_FACTORS:
        differs = type.digits > 0 && type.components == 2;
        break;
    case INPUT_GROWING:
        differs = op_gives(spec->op) == OP_ADDS && type.digits == 0 && type.components == 1;
        break;
    default:
        break;
    }
    return differs ? spec->pattern : INPUT_EXACT;
}

FOR_EACH_DTYPE void fill_typed(block *part, dtype_info type, void *out)
{
    const input_spec *spec = part->spec;
    const bool wraps = type.digits == 0 && type.components == 1;
    const bool half = component_is_half(type);
    const climb climbing = {spec,         part->first,     part->scan_n,
                            part->places, part->words + 1, part->count};
    switch (pattern_on(type, spec)) {
    case INPUT_RANDOM:
        fill_random(part, type, out);
        break;
    case INPUT_CLIMB:
    case INPUT_FALL:
        fill_climb(&climbing, type, out);
        break;
    case INPUT_ONES:
        fill_ones(part, type, out);
        break;
    case INPUT_IMPULSE:
        fill_impulse(part, type, out);
        break;
    case INPUT_ALTERNATING:
        alternate_words(part, exact_shift(type));
        fill_differences(part, type, wraps ? 0 : exact_shift(type), 1, out);
        break;
    case INPUT_EXTREMES:
        if (type.digits > 0)
            fill_float_extremes(part, type, out);
        else
            fill_integer_extremes(part, type, out);
        break;
    case INPUT_MARKS:
        fill_marks(part, type, out);
        break;
    case INPUT_CLOSE:
        fill_close(&climbing, type, out);
        break;
    case INPUT_SUBNORMALS:
        if (type.digits > 0) /* which clang-analyzer does not see */
            fill_subnormals(part, type, out);
        break;
    case INPUT_FACTORS:
        fill_factors(part, type, out);
        break;
    case INPUT_GROWING:
        fill_growing(part, type, out);
        break;
    default:
        if (half)
            fill_exact_halves(part, type, out);
        else
            fill_differences(part, type, exact_shift(type), 1, out);
    }
    if (pattern_on(type, spec) == INPUT_NAN)
        set_nan(part, type, out);
}

/* fill_typed, compiled for each dtype. */
static void fill_block(block *part, void *out)
{
#define CASE(name, ...)                                                   \
    case SCAN_DTYPE_##name:                                               \
        fill_typed(part, (dtype_info)DTYPE_INFO(name, __VA_ARGS__), out); \
        break;
    switch (part->spec->dtype) {
        ALL_DTYPES(CASE, )
    default:
        break;
    }
#undef CASE
}

void input_fill(const input_spec *spec, uint64_t first, uint64_t count, void *out)
{
    const size_t width = dtype_bytes(spec->dtype);
    if (spec->pattern >= INPUT_PATTERN_COUNT || !op_takes_dtype(spec->op, spec->dtype)) {
        memset(out, 0, (size_t)count * width);
        return;
    }
    if (spec->made) {
        memcpy(out, (const unsigned char *)spec->made + first * width, (size_t)count * width);
        return;
    }
    unsigned char *to = out;
    for (uint64_t done = 0; done < count;) {
        block part; /* words are written before they are read */
        part.spec = spec;
        part.first = first + done;
        part.count = count - done < BLOCK ? (size_t)(count - done) : BLOCK;
        hash_words(&part);
        fill_block(&part, to + done * width);
        done += part.count;
    }
}
