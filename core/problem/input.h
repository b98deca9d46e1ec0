/*
 * input.h - inputs that are computed, not stored
 *
 * Element i is a pure function of the spec and i, so any part of an input can be made again at any
 * time, in any order and chunking: to compute the reference, or to prove that a plugin left its
 * input alone. The same spec gives the same bytes on every machine.
 *
 * An input is an array of one or many scans, laid out as scan_problem says: each has `scan_n`
 * elements, and `inner` of them lie side by side. Every scan is an input of its own: what a pattern
 * says of the running result and of the first element holds in each.
 */
#ifndef SCANBENCH_PROBLEM_INPUT_H
#define SCANBENCH_PROBLEM_INPUT_H

#include "problem/op.h"

/*
 * X(name, word)
 *   random       integers: all bits; floats: uniform in [0, 1), a multiple of
 *                2^-24 (f32), 2^-53 (f64), 2^-8 (bf16) or 2^-11 (f16; these get smaller the
 *                longer a scan is, below 2^-13 from 2^27 elements on; with results in f64 every
 *                other one of bf16 is 2^20 times, of f16 2^15 times as large, so that sums of few
 *                elements need more than the 24 bits of f32). Pairs (a, b): a is odd
 *                (integers) or +-1 (floats), so that no product of them is 0 and takes the
 *                carry with it; b is random as above
 *   exact        differences of hashed integers below 2^20 (f64: 2^50): every sum of
 *                neighbours is exact in f32 (f64) in any association, so float scans
 *                compare bit for bit at any n. Pairs: the same, with a = +-1, of floats
 *                also +-2 and +-1/2. Floats of 16 bits: differences of a wave and noise,
 *                whose sums need up to 18 bits (bf16: 15), all exact in f32, and of f16
 *                go up to 63872
 *   climb        for operators that select the greater (lesser) operand: rises (falls)
 *                over the whole range of the type with some noise, so the running
 *                result changes until the end, and in every other scan with the last
 *                element; of integers with far fewer values than a scan has
 *                elements in as many steps, each a single element. For other operators: exact
 *   ones         1; pairs: (1, 1)
 *   impulse      the op's identity everywhere but at `position`
 *   alternating  +v, -v with a new v for each pair
 *   extremes     integers: the type's ends, and values on which comparing as signed
 *                and as unsigned differ, pairs with an even or zero a now and then; in every
 *                other 1024 elements of a sum only the least value (without a sign: the greatest);
 *                floats: the largest values whose sums stay finite and exact, pairs with a
 *                zero a now and then; for operators that select, infinities too. Sums of f16,
 *                finite and exact in f32, leave what f16 holds, and come back
 *   fall         for operators that select: climb the other way, so the running result is
 *                that of the first few elements to the end. For other operators: exact
 *   marks        for operators that add: every running result, and so every total, is one that
 *                programs use as a mark for what is not done: integers: 0, -1 and the type's ends,
 *                or their differences; floats: 0, -1, 1 and 2. For other operators: exact
 *   close        for operators that select: climbs in the least steps that the type has, far from
 *                0, where a comparison in a narrower type, or of integers as floats, sees none.
 *                For other operators: exact
 *   subnormals   floats: multiples of the least subnormal number. For operators that add:
 *                differences of such below twice the least normal number, so that every sum of
 *                neighbours is exact; for operators that select: climbs in steps of one of them,
 *                through 0. For other types: exact
 *   factors      float pairs: factors of all bits, whose products stay between 1/2 and 2, of both
 *                signs; b has the sign that lets no terms cancel. For other types: exact
 *   nan          floats: exact, but not a number at `position`, in b of a pair. For other types:
 *                exact
 *   growing      sums of integers: random in the upper sixteenth of the positive ones, so that a
 *                sum in a wider type soon leaves what that type holds, or is exact in. For others:
 *                exact
 */
#define INPUT_PATTERN_MAP(X)      \
    X(RANDOM, "random")           \
    X(EXACT, "exact")             \
    X(CLIMB, "climb")             \
    X(ONES, "ones")               \
    X(IMPULSE, "impulse")         \
    X(ALTERNATING, "alternating") \
    X(EXTREMES, "extremes")       \
    X(FALL, "fall")               \
    X(MARKS, "marks")             \
    X(CLOSE, "close")             \
    X(SUBNORMALS, "subnormals")   \
    X(FACTORS, "factors")         \
    X(NAN, "nan")                 \
    X(GROWING, "growing")

#define INPUT_ENUMERATOR(name, word) INPUT_##name,
typedef enum input_pattern {
    INPUT_PATTERN_MAP(INPUT_ENUMERATOR) INPUT_PATTERN_COUNT
} input_pattern;
#undef INPUT_ENUMERATOR

typedef struct input_spec {
    uint32_t dtype;   /* scan_dtype */
    uint32_t result;  /* what elements are converted to before they are scanned (dtype.h) */
    uint32_t op;      /* scan_op, defined on dtype */
    uint32_t pattern; /* input_pattern */
    uint64_t seed;
    uint64_t n;        /* elements in all; climb, fall, close and subnormals: spread over a scan */
    uint64_t position; /* impulse and nan: where, of all elements */
    uint64_t scan_n;   /* elements of a scan; 0: n, there is one */
    uint64_t inner;    /* scans that lie side by side; 0: 1 */
    const void *made;  /* all n elements, if they have been made before; else NULL */
    bool untimed;      /* is no run timed that may follow? */
} input_spec;

/* Which scan an element belongs to, and where in it. */
typedef struct input_place {
    uint64_t row, column; /* of the tensor */
    uint64_t at;          /* among the elements of the scan */
} input_place;

/* The dtype of the results. */
uint32_t input_result(const input_spec *spec);
/* Elements of a scan, at least 1. */
uint64_t input_scan_n(const input_spec *spec);
/* Scans that lie side by side, at least 1. */
uint64_t input_inner(const input_spec *spec);
/* By how many powers of two one in two random elements is larger; 0: none is. */
unsigned input_spread_bits(const input_spec *spec);
/* Where the element of that index lies. */
input_place input_place_of(const input_spec *spec, uint64_t index);
/* The index of the element at that place. */
uint64_t input_index_of(const input_spec *spec, input_place place);

/* The word of a pattern, or "?" if it is unknown. Static text. */
const char *pattern_name(uint32_t pattern);
/* The pattern of a word, or -1 if it is unknown. */
int pattern_find(const char *word);

/* The pattern to measure with: climb for operators that select, random for the others. */
input_pattern input_default(uint32_t op);

bool input_same(const input_spec *a, const input_spec *b);
/* Are all elements of `a` the first ones of `b`, whichever of the two is longer? */
bool input_begins(const input_spec *a, const input_spec *b);

/* Is every partial result exact in any association? False for float sums of random values, unless
 * the result has as many more digits as they need, for pairs with general factors, and for ones
 * where a scan is longer than 2^digits, 2^24 in f32. */
bool input_is_exact(const input_spec *spec);

/* Writes elements first ... first+count-1 to `out`, aligned for the dtype. A spec
 * whose op is not defined on its dtype, or with an unknown pattern, writes 0. */
void input_fill(const input_spec *spec, uint64_t first, uint64_t count, void *out);

#endif
