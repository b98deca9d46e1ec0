/* half_test.c - floats of 16 bits: what scan_half.h and the host make of every number of theirs and
 * of those between them, and which sums the reference takes */
#include "tap.h"

#include "problem/component.h"
#include "problem/element.h"
#include "problem/names.h"
#include "problem/reference.h"
#include "scan_half.h"

#include <float.h>
#include <math.h>

typedef struct half {
    uint32_t dtype;
    float (*to)(uint16_t word);
    uint16_t (*from)(float value);
} half;

static const half halves[] = {{SCAN_DTYPE_F16, scan_f16_to_f32, scan_f16_from_f32},
                              {SCAN_DTYPE_BF16, scan_bf16_to_f32, scan_bf16_from_f32}};

/* The value of a word by its definition; not of infinity and NaN. */
static double value_of(const half *h, uint32_t word)
{
    const int places = (int)dtype_get(h->dtype)->digits - 1,
              bias = max_exponent(*dtype_get(h->dtype)) - 1;
    const int exponent = (int)(word & 0x7fff) >> places;
    const uint32_t fraction = word & ((1U << places) - 1), one = exponent > 0 ? 1U << places : 0;
    const double size =
        ldexp((double)(fraction + one), (exponent > 0 ? exponent : 1) - bias - places);
    return word & 0x8000 ? -size : size;
}

static uint32_t infinity_of(const half *h)
{
    return h->from(INFINITY);
}

/* Does a value round to that word, as f32 and as f64? */
static bool rounds_to(const half *h, double value, uint32_t word)
{
    const any_element set = element_of(h->dtype, value, 0);
    return set.F16 == word && ((double)(float)value != value || h->from((float)value) == word);
}

/* Every number is itself; halfway to the next it goes to the even one, and beside that to the
 * nearer. Behind the greatest is infinity. */
static bool numbers_round(const half *h, uint32_t sign)
{
    bool right = true;
    for (uint32_t size = 0; size < infinity_of(h); size++) {
        const uint32_t word = size | sign;
        const double value = value_of(h, word);
        const double next =
            size + 1 < infinity_of(h) ? value_of(h, word + 1) : 2 * value - value_of(h, word - 1);
        const double middle = value / 2 + next / 2;
        right &= (double)h->to((uint16_t)word) == value && rounds_to(h, value, word) &&
                 component_real(*dtype_get(h->dtype), &(any_element){.F16 = (uint16_t)word}, 0) ==
                     value &&
                 rounds_to(h, middle, size % 2 == 0 ? word : word + 1) &&
                 rounds_to(h, value + (next - value) * 0.499, word) &&
                 rounds_to(h, value + (next - value) * 0.501, word + 1) &&
                 rounds_to(h, (double)nextafterf((float)middle, (float)value), word) &&
                 rounds_to(h, (double)nextafterf((float)middle, (float)next), word + 1);
    }
    return right;
}

static bool rest_is_nan(const half *h)
{
    bool right = isinf(h->to((uint16_t)infinity_of(h))) && infinity_of(h) == h->from(FLT_MAX);
    for (uint32_t word = infinity_of(h) + 1; word < 0x8000; word++)
        right &= isnan(h->to((uint16_t)word)) && isnan(h->to((uint16_t)(word | 0x8000)));
    for (uint32_t bits = 0x7f800001; bits < 0x7fffffff; bits += 0x7f3f) {
        const uint32_t word = h->from(scan_f32_of_bits(bits));
        const uint32_t quiet = 1U << (dtype_get(h->dtype)->digits - 2);
        right &= word > infinity_of(h) && word < 0x8000 && (word & quiet) != 0 &&
                 h->from(scan_f32_of_bits(bits | 0x80000000)) == (word | 0x8000);
    }
    return right;
}

/* ---- sums --------------------------------------------------------------------- */

enum { N = 5000 };

typedef struct problem {
    const half *half;
    input_spec spec;
    uint16_t x[N], y[N];
} problem;

static problem problem_of(const half *h, uint32_t pattern)
{
    problem p = {.half = h,
                 .spec = {.dtype = h->dtype,
                          .op = SCAN_OP_SUM,
                          .pattern = pattern,
                          .seed = 7,
                          .n = N,
                          .position = N / 2}};
    input_fill(&p.spec, 0, N, p.x);
    return p;
}

typedef float adder(const half *h, float sum, float x, size_t i);

/* An inclusive scan by a way to add. */
static void scan_by(problem *p, adder *add)
{
    float sum = 0;
    for (size_t i = 0; i < N; i++) {
        sum = add(p->half, sum, p->half->to(p->x[i]), i);
        p->y[i] = p->half->from(sum);
    }
}

static float add(const half *h, float sum, float x, size_t i)
{
    (void)h, (void)i;
    return sum + x;
}

static float add_rounded(const half *h, float sum, float x, size_t i)
{
    (void)i;
    return h->to(h->from(sum + x));
}

static float add_rounded_in_tiles(const half *h, float sum, float x, size_t i)
{
    const float next = sum + x;
    return i % 64 == 63 ? h->to(h->from(next)) : next;
}

static reference checked(const problem *p)
{
    reference check;
    reference_begin(&check, &p->spec, SCAN_KIND_INCLUSIVE, REFERENCE_SCAN);
    reference_check(&check, p->x, p->y, N);
    return check;
}

static bool passes_by(const half *h, uint32_t pattern, adder *by)
{
    problem p = problem_of(h, pattern);
    scan_by(&p, by);
    const reference check = checked(&p);
    return reference_passed(&check);
}

/* Is one unit in the last place more or less wrong, wherever it is? */
static bool is_exact(const half *h, uint32_t pattern)
{
    problem p = problem_of(h, pattern);
    scan_by(&p, add);
    bool right = true;
    for (size_t i = 1; i < N; i += 61) {
        p.y[i] ^= 1;
        const reference check = checked(&p);
        right &= check.wrong == 1 && check.first_bad == i;
        p.y[i] ^= 1;
    }
    return right;
}

static bool ulps_are_half(const half *h)
{
    problem p = problem_of(h, INPUT_RANDOM);
    scan_by(&p, add);
    const reference check = checked(&p);
    return reference_passed(&check) && check.max_ulps > 0.49 && check.max_ulps <= 0.5;
}

/* How many bits the sums of exact inputs have, in units of the least element's last place. */
static bool sums_need_bits(const half *h)
{
    const problem p = problem_of(h, INPUT_EXACT);
    double sum = 0;
    size_t rounded = 0;
    for (size_t i = 0; i < N; i++) {
        sum += (double)h->to(p.x[i]);
        rounded += (double)h->to(h->from((float)sum)) != sum;
    }
    return rounded > N / 2;
}

/* Sums of extremes in f16 leave its numbers and come back. */
static bool extremes_come_back(void)
{
    problem p = problem_of(&halves[0], INPUT_EXTREMES);
    scan_by(&p, add);
    size_t infinite = 0, finite = 0;
    for (size_t i = N / 2; i < N; i++) {
        const bool inf = (p.y[i] & 0x7fff) == infinity_of(&halves[0]);
        infinite += inf;
        finite += !inf;
    }
    return infinite > N / 8 && finite > N / 8;
}

static bool nan_stays(const half *h)
{
    problem p = problem_of(h, INPUT_NAN);
    scan_by(&p, add);
    reference check = checked(&p);
    bool right = reference_passed(&check);
    p.y[N - 5] = 0;
    check = checked(&p);
    return right && check.wrong == 1 && check.first_bad == N - 5;
}

static void check_sums(const half *h)
{
    const char *word = dtype_name(h->dtype);
    bool once = true, exact = true;
    for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++)
        once &= passes_by(h, pattern, add);
    exact = is_exact(h, INPUT_EXACT) && is_exact(h, INPUT_ONES) && is_exact(h, INPUT_SUBNORMALS);
    ok(once, "sums of %s that are rounded once pass on every pattern", word);
    ok(exact, "an output beside the right one is wrong on exact inputs");
    ok(sums_need_bits(h), "most sums of exact inputs are no %s", word);
    ok(!passes_by(h, INPUT_EXACT, add_rounded) && !passes_by(h, INPUT_ONES, add_rounded) &&
           !passes_by(h, INPUT_RANDOM, add_rounded),
       "sums that are rounded each time are wrong");
    ok(!passes_by(h, INPUT_EXACT, add_rounded_in_tiles), "as are those of rounded carries");
    ok(ulps_are_half(h), "the error is half a unit in the last place");
    ok(nan_stays(h), "behind a NaN all sums are NaN");
}

int main(void)
{
    tap_plan(2 * 10 + 1);
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const half *h = &halves[i];
        const char *word = dtype_name(h->dtype);
        ok(numbers_round(h, 0), "every %s is converted, and what is between two is rounded", word);
        ok(numbers_round(h, 0x8000), "and those below 0");
        ok(rest_is_nan(h), "a NaN of %s is one in f32, and the other way, and quiet", word);
        check_sums(h);
    }
    ok(extremes_come_back(), "sums of extremes in f16 become infinite and finite again");
    return tap_done();
}
