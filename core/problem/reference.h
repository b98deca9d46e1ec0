/*
 * reference.h - the right answer, compared element by element with an output
 *
 * The input is made again in small pieces and scanned beside the output, so no third array is
 * needed. An output arrives in order, in any number of chunks; the struct carries the state from
 * one to the next: of one scan, and where scans lie side by side (input_inner) of each of them.
 *
 *     reference check;
 *     reference_begin(&check, &spec, SCAN_KIND_EXCLUSIVE, REFERENCE_SCAN);
 *     if (reference_begin_columns(&check) != SCAN_OK) ...
 *     reference_check(&check, input, output, n);
 *     if (!reference_passed(&check)) ...
 *     reference_end_columns(&check);
 *
 * Where results are of a wider type than the input, each element is converted first, and all that
 * is said below of a type is said of the result's.
 *
 * Results on exact inputs (input_is_exact), which include all integers, max and min, must match
 * value for value; -0 equals 0. Of sums of floats of 16 bits below. Other float sums are compared
 * with a compensated f64 sum and must lie within
 *
 *     |got - expected| <= m*u/(1 - m*u) * sum of |x[k]|,   m = additions + 1,
 *
 * the bound of any order of summation (Higham, Accuracy and Stability of
 * Numerical Algorithms, ch. 4), u = 2^-24 or 2^-53; where m*u >= 1/2 within
 * 1 * sum of |x[k]|, which a serial f32 sum needs beyond 2^24. This measures the
 * error; that the algorithm is right is proved on exact inputs.
 *
 * A sum of floats of 16 bits is made in f32 at least, and rounded once. If B is that bound for f32,
 * u = 2^-24, and 0 on exact inputs, then the prefix that is held lies within B of the exact sum s.
 * Rounding is monotonic, so that the output must lie between round(s - B) and round(s + B): on
 * exact inputs it is round(s), bit for bit. Its error is half a unit in the last place, and what B
 * makes.
 *
 * The error is also told in units of the last place: |got - exact| / ulp(exact), where ulp(exact)
 * is the distance of the type's numbers at |exact|, below the normal ones the least number. An
 * output that is rounded once is within 1/2. For `exact` stands the compensated sum. It lacks less
 * than 2^-42.9 * m ulps of f64, at sum of |x[k]|, of the exact one, 2^-71.9 * m of f32, and nothing
 * for random inputs of less than 2^43 elements (reference_bounded.c). Its ulp is that of the
 * nearest f64: just below a power of two it may be the distance above it.
 *
 * With general factors, m pairs give a = a[1]*...*a[m] and b = the sum of the terms
 * b[k]*a[k+1]*...*a[m]. Whatever the association, a takes m-1 products; a term takes at most m-1
 * products and is part of at most m-1 sums, each of which rounds once. So
 *
 *     |got a - a| <= m*u/(1 - m*u) * |a|,
 *     |got b - b| <= 2*m*u/(1 - 2*m*u) * sum of |b[k]*a[k+1]*...*a[m]|,
 *
 * of which the last u is left for what the comparison, in f64, rounds itself.
 *
 * A NaN passes only behind one of the input, on the pattern nan, as the contract says: there a sum
 * is NaN, and a maximum is NaN or at most that of the numbers so far, a minimum at least that.
 */
#ifndef SCANBENCH_PROBLEM_REFERENCE_H
#define SCANBENCH_PROBLEM_REFERENCE_H

#include "problem/input.h"
#include "problem/op_scan.h"

#define REFERENCE_TEXT_BYTES ELEMENT_TEXT_BYTES

/* The sum of the elements so far, for comparing within a bound: sum + residue, where the residue is
 * what rounding lost. */
typedef struct reference_sum {
    double sum, residue;
    double sign;  /* of pairs: the product of a, a power of two unless factors are general */
    double total; /* the sum of |x|, of pairs times the factors behind each */
} reference_sum;

/* What is known of all elements before one: from there a comparison can go on. */
typedef struct reference_point {
    any_element carry;
    reference_sum sum;
} reference_point;

typedef struct reference {
    /* results */
    uint64_t checked;       /* elements seen so far: the index of the next one, of all */
    uint64_t wrong;         /* elements of the output that are wrong */
    uint64_t first_bad;     /* the first wrong index, where wrong > 0 */
    bool unwritten;         /* is that one still poisoned (guard.h)? */
    bool inaccurate;        /* is it within the bound, but not within one ulp? */
    uint64_t input_changed; /* elements of the input that were changed */
    uint64_t first_changed; /* the first of them, where input_changed > 0 */
    double max_rel_error;   /* max |got - expected| / sum of |x|; 0 for exact inputs, but of sums
                               of 16-bit floats, which round */
    double max_ulps;        /* max |got - exact| / ulp(exact); likewise. Not with general factors */
    char got[REFERENCE_TEXT_BYTES]; /* at first_bad */
    char expected[REFERENCE_TEXT_BYTES];
    uint64_t got_bits, expected_bits; /* the same elements' bytes, 0 behind them */
    uint64_t last_bad, last_bits;     /* the last wrong index, and the bytes there */

    /* private */
    input_spec spec;
    uint32_t dtype; /* of the output */
    uint32_t mode;
    double most_ulps;            /* of an error that is right */
    op_scan scan;                /* exact */
    reference_sum sum;           /* bounded */
    any_element *column_carries; /* of each scan that lies beside others, one of both: exact */
    reference_sum *column_sums;  /* or bounded */
    reference_point *points;
    uint64_t stride;
    uint64_t begin;        /* of a part: its first element */
    reference_point begun; /* and what it took for known there */
} reference;

/* What the output must be: the scan of the input, or one whose sums of floats lie within one ulp of
 * the exact ones, too; or of a ceiling the input itself, or, where it works in place, the input
 * with every bit inverted. */
typedef enum reference_rule {
    REFERENCE_SCAN,
    REFERENCE_ACCURATE,
    REFERENCE_COPY,
    REFERENCE_INVERTED
} reference_rule;

/* Starts a comparison. Of a ceiling op only decides the input, and kind is ignored. */
void reference_begin(reference *check, const input_spec *spec, scan_kind kind, reference_rule rule);

/* Room for what is known of each scan, where they lie side by side; needed before elements are
 * compared or passed. SCAN_OK or SCAN_NO_MEMORY. Freed with reference_end_columns. */
scan_status reference_begin_columns(reference *check);
void reference_end_columns(reference *check);

/* Compares the next `count` elements of the output and, unless `input` is NULL, checks that the
 * same elements of the input are still what input_fill wrote. */
void reference_check(reference *check, const void *input, const void *output, uint64_t count);

/* What is known before the next element, where no scans lie side by side. */
reference_point reference_here(const reference *check);
/* Keeps, as the comparison reaches it, what is known before elements stride, 2 * stride, ... of
 * each scan: in points[reference_point_of(its place)], of which there are reference_points(). */
void reference_keep(reference *check, reference_point *points, uint64_t stride);
uint64_t reference_points(const input_spec *spec, uint64_t stride);
uint64_t reference_point_of(const input_spec *spec, uint64_t stride, input_place place);
/* Goes on at element `index`, before which that is known; in an input of one scan. */
void reference_resume(reference *check, uint64_t index, const reference_point *before);
/* Passes over the next `count` elements of the input, which are given instead of made again. */
void reference_pass(reference *check, const void *elements, size_t count);
/* Compares the next output alone with that of a given element of the input, passes over it, and
 * returns what was expected; within the bound of the comparison, where it has one. In an input of
 * one scan. */
any_element reference_check_one(reference *check, const void *element, const void *output);

/*
 * In parts, which can be compared at the same time. A part takes what it must know of all elements
 * before it from the output itself, or from sums; that it was right is found when parts are joined
 * in order: the part before it ends with what it began with.
 *
 *     for each part, anywhere:        reference_part_at(&part[i], &check, first, output at first);
 *                                     reference_check(&part[i], ...);
 *     then, from the first to the last: if (!reference_join(&check, &part[i]))
 *                                           reference_check(&check, ...) of the same elements;
 */

/* Can it be worth while? Not where a sum depends on where it begins, as in f64 within a bound, with
 * general factors and in rows, nor behind a NaN, from which no part can go on, nor where scans lie
 * side by side. */
bool reference_has_parts(const reference *check);
/* Does a part need the sum of what lies between `check` and its beginning? If so,
 * reference_part_sum makes that of each part, and reference_part_skip adds them to a part in
 * order. */
bool reference_needs_sums(const reference *check);
reference_sum reference_part_sum(const reference *check, uint64_t first, uint64_t count);
void reference_part_skip(reference *part, const reference_sum *skipped);
/* A comparison that begins at element `first`, behind what `check` has compared. `output` holds
 * element first and, of an inclusive scan, the one before it. */
void reference_part_at(reference *part_p, const reference *check, uint64_t first,
                       const void *output);
/* Takes over what the next part has found, if all is right and the part began rightly; otherwise
 * false and nothing is changed. */
bool reference_join(reference *check, const reference *part);

/* Are all n elements checked, none wrong and none of the input changed? */
bool reference_passed(const reference *check);

#endif
