/*
 * input.c - counter-based inputs, element by element
 *
 * Element i comes from a hash of seed and i: the finaliser of splitmix64 (Steele,
 * Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) over a
 * Weyl sequence. What exact, alternating and float extremes share is that they are
 * the differences x[i] = h(i) - h(i-1) of a chosen h with h(-1) = 0, so that the
 * sum of x[j] ... x[k] is h(k) - h(j-1), one rounding-free number whatever the
 * association. With a[i] = +-1 the same holds for the affine pairs where
 * b[i] = h(i) - a[i]*h(i-1). About 1 ns per element.
 */
#include "problem/input.h"

#include "problem/element.h"
#include "problem/names.h"

#include <float.h>
#include <string.h>

/* Words made at a time: small enough for the first-level cache, and separate from
 * the conversions so that both are short loops. */
#define BLOCK 512u
#define EXACT_SHIFT 44u     /* the upper 20 bits of a word */
#define EXACT_SHIFT_F64 14u /* the upper 50 */

typedef struct block {
    const input_spec *spec;
    uint64_t first;
    size_t count;
    uint64_t words[1 + BLOCK]; /* words[1 + i] belongs to element first + i */
} block;

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* words[1 ... count], and words[0] of the element before, 0 where there is none. */
static void hash_words(block *part)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t key = mix(part->spec->seed + golden);
    const uint64_t start = key + part->first * golden;
    for (size_t i = 0; i <= part->count; i++)
        part->words[i] = mix(start + i * golden);
    if (part->first == 0)
        part->words[0] = 0;
}

/* What is left out of a word where every sum of neighbours is to be exact. */
static unsigned exact_shift(uint32_t dtype)
{
    return dtype == SCAN_DTYPE_F64 ? EXACT_SHIFT_F64 : EXACT_SHIFT;
}

/* v and 0 in turn, so that the differences are +v, -v; bit 0, from which affine
 * takes its sign, changes in turn as well. */
static void alternate_words(block *part)
{
    for (size_t i = 0; i <= part->count; i++) {
        bool even = ((part->first + i) & 1) != 0; /* words[i] is element first + i - 1 */
        part->words[i] = even ? part->words[i] | UINT64_C(1) << EXACT_SHIFT | 1 : 0;
    }
    if (part->first == 0)
        part->words[0] = 0;
}

#define FILL(type, expression)                        \
    do {                                              \
        type *to = out;                               \
        for (size_t i = 0; i < part->count; i++) {    \
            const uint64_t word = part->words[1 + i]; \
            to[i] = (type)(expression);               \
        }                                             \
    } while (0)

#define FILL_PAIRS(type, expression_a, expression_b)  \
    do {                                              \
        type *to = out;                               \
        for (size_t i = 0; i < part->count; i++) {    \
            const uint64_t word = part->words[1 + i]; \
            to[2 * i] = (type)(expression_a);         \
            to[2 * i + 1] = (type)(expression_b);     \
        }                                             \
    } while (0)

/* 1 or -1 by the lowest bit, without a branch that nothing predicts. */
#define SIGN (1 - 2 * (word & 1))

static void fill_random(const block *part, void *out)
{
    switch (part->spec->dtype) {
    case SCAN_DTYPE_I32:
    case SCAN_DTYPE_U32:
        FILL(uint32_t, word >> 32);
        break;
    case SCAN_DTYPE_I64:
    case SCAN_DTYPE_U64:
        FILL(uint64_t, word);
        break;
    case SCAN_DTYPE_F32:
        FILL(float, (float)(int32_t)(word >> 40) * 0x1p-24f);
        break;
    case SCAN_DTYPE_F64:
        FILL(double, (double)(int64_t)(word >> 11) * 0x1p-53);
        break;
    case SCAN_DTYPE_U32X2:
        FILL_PAIRS(uint32_t, word | 1, word >> 32);
        break;
    default:
        FILL_PAIRS(float, (int32_t)SIGN, (float)(int32_t)(word >> 40) * 0x1p-24f);
        break;
    }
}

/* The factor of a recurrence in f32: 1 or -1, and now and then 2, or 1/2 to undo it, so
 * that products stay within 1/2 and 2. */
static float factor_of(uint64_t index, uint64_t word)
{
    const float size = index % 64 == 10 ? 2.0f : index % 64 == 42 ? 0.5f : 1.0f;
    return word & 1 ? -size : size;
}

/* h(i) is the word without its lowest `shift` bits, times `scale` for floats. */
static void fill_differences(const block *part, unsigned shift, double scale, void *out)
{
#define LEVEL (word >> shift)
#define BEFORE (part->words[i] >> shift)
#define FACTOR factor_of(part->first + i, word)
    switch (part->spec->dtype) {
    case SCAN_DTYPE_I32:
    case SCAN_DTYPE_U32:
        FILL(uint32_t, LEVEL - BEFORE);
        break;
    case SCAN_DTYPE_I64:
    case SCAN_DTYPE_U64:
        FILL(uint64_t, LEVEL - BEFORE);
        break;
    case SCAN_DTYPE_F32:
        FILL(float, (double)(int64_t)(LEVEL - BEFORE) * scale);
        break;
    case SCAN_DTYPE_F64:
        FILL(double, (double)(int64_t)(LEVEL - BEFORE) * scale);
        break;
    case SCAN_DTYPE_U32X2:
        FILL_PAIRS(uint32_t, SIGN, LEVEL - SIGN * BEFORE);
        break;
    default:
        FILL_PAIRS(float, FACTOR,
                   ((double)(int64_t)LEVEL - (double)FACTOR * (double)(int64_t)BEFORE) * scale);
        break;
    }
#undef BEFORE
#undef FACTOR
#undef LEVEL
}

/* A straight line through the type's range, element i moved up by as much as 63
 * later elements: the running maximum changes every few elements to the end. */
static void fill_climb(const block *part, void *out)
{
    const uint64_t step = UINT64_MAX / (part->spec->n + 64);
    const uint64_t flip = part->spec->op == SCAN_OP_MIN ? UINT64_MAX : 0;
    const uint64_t sign = UINT64_C(1) << 63;
#define RISE (((part->first + i + (word >> 58)) * step) ^ flip)
    switch (part->spec->dtype) {
    case SCAN_DTYPE_I32:
        FILL(uint32_t, (RISE ^ sign) >> 32);
        break;
    case SCAN_DTYPE_U32:
        FILL(uint32_t, RISE >> 32);
        break;
    case SCAN_DTYPE_I64:
        FILL(uint64_t, RISE ^ sign);
        break;
    case SCAN_DTYPE_U64:
        FILL(uint64_t, RISE);
        break;
    case SCAN_DTYPE_F32: /* to +-2^127, without denormals, which devices may flush */
        FILL(float, (float)(int32_t)((RISE ^ sign) >> 32) * 0x1p96f);
        break;
    default:
        FILL(double, (double)(int64_t)(RISE ^ sign) * 0x1p960);
        break;
    }
#undef RISE
}

/* The ends of a type and where comparing as signed and as unsigned differ. */
static void fill_extremes(const block *part, void *out)
{
    static const uint32_t of_i32[] = {UINT32_C(1) << 31, INT32_MAX, UINT32_MAX, 1};
    static const uint32_t of_u32[] = {0, UINT32_MAX, UINT32_C(1) << 31, INT32_MAX};
    static const uint32_t of_odd[] = {1, UINT32_MAX, (UINT32_C(1) << 31) + 1, INT32_MAX};
    static const uint64_t of_i64[] = {UINT64_C(1) << 63, INT64_MAX, UINT64_MAX, 1};
    static const uint64_t of_u64[] = {0, UINT64_MAX, UINT64_C(1) << 63, INT64_MAX};
    static const float of_f32[] = {-FLT_MAX, FLT_MAX, -1, 1};
    static const double of_f64[] = {-DBL_MAX, DBL_MAX, -1, 1};
    const bool sum = part->spec->op == SCAN_OP_SUM;
    switch (part->spec->dtype) {
    case SCAN_DTYPE_I32:
        FILL(uint32_t, of_i32[word >> 62]);
        break;
    case SCAN_DTYPE_U32:
        FILL(uint32_t, of_u32[word >> 62]);
        break;
    case SCAN_DTYPE_I64:
        FILL(uint64_t, of_i64[word >> 62]);
        break;
    case SCAN_DTYPE_U64:
        FILL(uint64_t, of_u64[word >> 62]);
        break;
    case SCAN_DTYPE_F32:
        if (sum)
            fill_differences(part, 63, FLT_MAX, out);
        else
            FILL(float, of_f32[word >> 62]);
        break;
    case SCAN_DTYPE_F64:
        if (sum)
            fill_differences(part, 63, DBL_MAX, out);
        else
            FILL(double, of_f64[word >> 62]);
        break;
    case SCAN_DTYPE_U32X2: /* one in 32 begins anew, one in 32 is even */
        FILL_PAIRS(uint32_t,
                   (word >> 8) % 32 == 0   ? 0
                   : (word >> 8) % 32 == 1 ? 6
                                           : of_odd[word & 3],
                   of_u32[word >> 62]);
        break;
    default: /* b times a factor reaches six times the level, and stays finite */
        fill_differences(part, 63, 0x1p124, out);
        break;
    }
}

/* `one` everywhere, but `other` at element `position`. */
static void fill_constant(const block *part, element one, element other, uint64_t position,
                          void *out)
{
    const size_t width = dtype_bytes(part->spec->dtype);
    unsigned char *to = out;
    if (width == 4)
        for (size_t i = 0; i < part->count; i++)
            memcpy(to + 4 * i, &one, 4);
    else
        for (size_t i = 0; i < part->count; i++)
            memcpy(to + 8 * i, &one, 8);
    if (position >= part->first && position - part->first < part->count)
        memcpy(to + (position - part->first) * width, &other, width);
}

static void fill_block(block *part, void *out)
{
    const input_spec *spec = part->spec;
    const bool narrow = dtype_is_float(spec->dtype) || spec->op == SCAN_OP_AFFINE;
    const element one = element_of(spec->dtype, 1, 1);
    hash_words(part);
    switch (spec->pattern) {
    case INPUT_RANDOM:
        fill_random(part, out);
        break;
    case INPUT_CLIMB:
        if (spec->op == SCAN_OP_MAX || spec->op == SCAN_OP_MIN)
            fill_climb(part, out);
        else
            fill_differences(part, exact_shift(spec->dtype), 1, out);
        break;
    case INPUT_ONES:
        fill_constant(part, one, one, 0, out);
        break;
    case INPUT_IMPULSE: /* neither symmetric nor a power of two, exact in f32 */
        fill_constant(part, element_identity(spec->op, spec->dtype),
                      element_of(spec->dtype, spec->op == SCAN_OP_AFFINE ? 3 : 1234567, 1234567),
                      spec->position, out);
        break;
    case INPUT_ALTERNATING:
        alternate_words(part);
        fill_differences(part, narrow ? exact_shift(spec->dtype) : 0, 1, out);
        break;
    case INPUT_EXTREMES:
        fill_extremes(part, out);
        break;
    default:
        fill_differences(part, exact_shift(spec->dtype), 1, out);
        break;
    }
}

void input_fill(const input_spec *spec, uint64_t first, uint64_t count, void *out)
{
    const size_t width = dtype_bytes(spec->dtype);
    if (spec->pattern >= INPUT_PATTERN_COUNT || !op_takes_dtype(spec->op, spec->dtype)) {
        memset(out, 0, (size_t)count * width);
        return;
    }
    unsigned char *to = out;
    for (uint64_t done = 0; done < count;) {
        block part; /* its words are written before they are read */
        part.spec = spec;
        part.first = first + done;
        part.count = count - done < BLOCK ? (size_t)(count - done) : BLOCK;
        fill_block(&part, to + done * width);
        done += part.count;
    }
}
