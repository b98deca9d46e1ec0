/* input_test.c - inputs are what their patterns promise, and never change */
#include "tap.h"

#include "problem/input.h"
#include "problem/names.h"
#include "problem/op_scan.h"

#include <float.h>
#include <math.h>

enum { N = 5000 };

typedef union array {
    int8_t i8[N];
    uint8_t u8[N];
    uint16_t u16[N];
    int32_t i32[N];
    uint32_t u32[2 * N];
    int64_t i64[N];
    uint64_t u64[N];
    float f32[2 * N];
    double f64[N];
    any_element any[N]; /* the largest */
} array;

static input_spec spec_of(uint32_t op, uint32_t dtype, input_pattern pattern)
{
    return (input_spec){
        .dtype = dtype, .op = op, .pattern = pattern, .seed = 42, .n = N, .position = N - 1};
}

static void fill(array *to, uint32_t op, uint32_t dtype, input_pattern pattern)
{
    const input_spec spec = spec_of(op, dtype, pattern);
    input_fill(&spec, 0, N, to);
}

/* The FNV-1a hash of everything that a spec makes. */
static uint64_t digest(const input_spec *spec, uint64_t first)
{
    static array values;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    input_fill(spec, first, 1000, &values);
    for (size_t i = 0; i < 1000 * dtype_bytes(spec->dtype); i++)
        hash = (hash ^ ((const unsigned char *)&values)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void check_known(void)
{
    static const struct {
        uint32_t op, dtype;
        const char *text[2]; /* of elements 0 and 1,000,000,000,000 */
    } known[] = {
        {SCAN_OP_SUM, SCAN_DTYPE_U32, {"1474427578", "3432484966"}},
        {SCAN_OP_SUM, SCAN_DTYPE_I64, {"6332618229526065668", "-3704333399629622653"}},
        {SCAN_OP_SUM, SCAN_DTYPE_F32, {"0.343291879", "0.79918766"}},
        {SCAN_OP_SUM, SCAN_DTYPE_F64, {"0.34329192209867343", "0.79918768402554741"}},
        {SCAN_OP_AFFINE,
         SCAN_DTYPE_U32X2,
         {"(1695576581, 1474427578)", "(1098257027, 3432484966)"}},
        {SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, {"(1, 0.343291879)", "(-1, 0.79918766)"}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t j = 0; j < 2; j++) {
            const input_spec spec = spec_of(known[i].op, known[i].dtype, INPUT_RANDOM);
            any_element value;
            char text[80];
            input_fill(&spec, j * UINT64_C(1000000000000), 1, &value);
            is_text(element_text(spec.dtype, &value, text, sizeof text), known[i].text[j],
                    "element %s of random %s is what it has always been", j ? "10^12" : "0",
                    dtype_name(spec.dtype));
        }
    uint64_t all = 0; /* of everything in the contract since 1.0 */
    for (uint32_t op = SCAN_OP_SUM; op <= SCAN_OP_AFFINE; op++)
        for (uint32_t dtype = SCAN_DTYPE_I32; dtype <= SCAN_DTYPE_F32X2; dtype++)
            for (uint32_t pattern = 0; pattern <= INPUT_EXTREMES; pattern++) {
                const input_spec spec = spec_of(op, dtype, (input_pattern)pattern);
                if (op_takes_dtype(op, dtype))
                    all = all * 31 + digest(&spec, 0) + digest(&spec, UINT64_C(1) << 33);
            }
    ok(all == UINT64_C(0xb041c1248729c4ef),
       "the patterns of 1.0 are unchanged since the last change of this number (%016llx)",
       (unsigned long long)all);
    all = 0;
    for (uint32_t op = SCAN_OP_SUM; op <= SCAN_OP_AFFINE; op++)
        for (uint32_t dtype = SCAN_DTYPE_I32; dtype <= SCAN_DTYPE_F32X2; dtype++)
            for (uint32_t pattern = INPUT_FALL; pattern <= INPUT_NAN; pattern++) {
                const input_spec spec = spec_of(op, dtype, (input_pattern)pattern);
                if (op_takes_dtype(op, dtype))
                    all = all * 31 + digest(&spec, 0) + digest(&spec, UINT64_C(1) << 33);
            }
    ok(all == UINT64_C(0xb5d1f3843f3f5c0f), "and so are those that came later (%016llx)",
       (unsigned long long)all);
}

/* Compares every spec in chunks of `chunk` with the whole at once. */
static int chunks_agree(uint64_t chunk)
{
    static array whole, parts;
    int same = 1;
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
            for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++) {
                const input_spec spec = spec_of(op, dtype, (input_pattern)pattern);
                const size_t width = dtype_bytes(dtype);
                memset(&parts, 0x55, sizeof parts);
                input_fill(&spec, 0, N, &whole);
                for (uint64_t at = 0; at < N; at += chunk)
                    input_fill(&spec, at, N - at < chunk ? N - at : chunk,
                               (unsigned char *)&parts + at * width);
                same &= memcmp(&whole, &parts, N * width) == 0;
            }
    return same;
}

/* Large inputs are made by other instructions, where the processor has them. */
static int large_agree(void)
{
    static array small, large;
    int same = 1;
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
            for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++) {
                input_spec spec = spec_of(op, dtype, pattern);
                const bool spread = pattern == INPUT_CLIMB || pattern == INPUT_FALL ||
                                    pattern == INPUT_CLOSE || pattern == INPUT_SUBNORMALS;
                const bool scaled = pattern == INPUT_RANDOM && dtype == SCAN_DTYPE_F16;
                if ((spread && op_selects(op)) || scaled)
                    continue; /* over n elements */
                input_fill(&spec, 3, N, &small);
                spec.n = UINT64_C(1) << 32;
                input_fill(&spec, 3, N, &large);
                same &= memcmp(&small, &large, N * dtype_bytes(dtype)) == 0;
            }
    return same;
}

static void check_pure(void)
{
    ok(chunks_agree(1), "element by element gives the same");
    ok(large_agree(), "a large input has the same elements as a small one");
    ok(chunks_agree(7) && chunks_agree(511) && chunks_agree(513), "odd chunks give the same");
    input_spec spec = spec_of(SCAN_OP_SUM, SCAN_DTYPE_U32, INPUT_RANDOM);
    const uint64_t before = digest(&spec, 0);
    spec.seed++;
    ok(digest(&spec, 0) != before, "another seed gives another input");
    spec.seed--;
    ok(digest(&spec, 0) == before, "the same seed gives the same input");
    spec.n *= 2;
    ok(digest(&spec, 0) == before, "a longer random input begins with the shorter one");
    array *none = NULL;
    input_fill(&spec, 5, 0, none);
    ok(1, "no elements are written nowhere");
    static array values;
    memset(&values, 0x55, sizeof values);
    input_spec unfit = spec_of(SCAN_OP_SUM, SCAN_DTYPE_U32X2, INPUT_RANDOM);
    input_fill(&unfit, 0, 2, &values);
    ok(values.u64[0] == 0 && values.u64[1] == 0 && values.u64[2] != 0,
       "an op that is not defined on the dtype gives zeros");
}

static void check_random(void)
{
    static array x;
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_RANDOM);
    int in_range = 1, multiple = 1;
    double mean = 0;
    for (size_t i = 0; i < N; i++) {
        const double value = (double)x.f32[i];
        in_range &= value >= 0 && value < 1;
        multiple &= value * 0x1p24 == floor(value * 0x1p24);
        mean += value / N;
    }
    ok(in_range && fabs(mean - 0.5) < 0.02, "random f32 is uniform in [0, 1)");
    ok(multiple, "random f32 is a multiple of 2^-24");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, INPUT_RANDOM);
    uint32_t odd = 1, product = 1;
    for (size_t i = 0; i < N; i++) {
        odd &= x.u32[2 * i];
        product *= x.u32[2 * i];
    }
    ok(odd && product != 0, "a of random u32x2 is odd, so no product vanishes");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_RANDOM);
    int signs = 0, unit = 1;
    for (size_t i = 0; i < N; i++) {
        unit &= fabsf(x.f32[2 * i]) == 1;
        signs += x.f32[2 * i] < 0;
    }
    ok(unit && signs > N / 3 && signs < N * 2 / 3, "a of random f32x2 is 1 or -1, both often");
}

/* How often the running max (min for negated input) changes in the second half. */
#define CHANGES(name, type)                            \
    static int name(const type *x, int falling)        \
    {                                                  \
        type best = x[0];                              \
        int changes = 0;                               \
        for (size_t i = 1; i < N; i++)                 \
            if (falling ? x[i] < best : x[i] > best) { \
                best = x[i];                           \
                changes += i >= N / 2;                 \
            }                                          \
        return changes;                                \
    }
CHANGES(changes_i32, int32_t)
CHANGES(changes_u64, uint64_t)
CHANGES(changes_f32, float)
CHANGES(changes_f64, double)

static void check_climb(void)
{
    static array x;
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_I32, INPUT_CLIMB);
    ok(changes_i32(x.i32, 0) > N / 20, "climb changes the running max of i32 to the end");
    ok(x.i32[0] < INT32_MIN / 10 * 9 && x.i32[N - 1] > INT32_MAX / 10 * 9,
       "climb of i32 goes through the whole range");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_U64, INPUT_CLIMB);
    ok(changes_u64(x.u64, 1) > N / 20 && x.u64[0] > UINT64_MAX / 10 * 9,
       "climb for min falls through the range of u64");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_F32, INPUT_CLIMB);
    int finite = 1;
    for (size_t i = 0; i < N; i++)
        finite &= isfinite(x.f32[i]);
    ok(finite && changes_f32(x.f32, 1) > N / 20, "climb of f32 is finite and changes to the end");
    ok(x.f32[0] > 1e38f && x.f32[N - 1] < -1e38f, "climb of f32 goes through the whole range");
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_F64, INPUT_CLIMB);
    ok(changes_f64(x.f64, 0) > N / 20 && x.f64[N - 1] > 1e307, "so does climb of f64");
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_I32, INPUT_FALL);
    ok(changes_i32(x.i32, 0) < 70 && x.i32[0] > INT32_MAX / 10 * 9 &&
           x.i32[N - 1] < INT32_MIN / 10 * 9,
       "fall for max goes down through the range of i32: the first elements stay the greatest");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_F32, INPUT_FALL);
    ok(changes_f32(x.f32, 1) < 70 && x.f32[0] < -1e38f && x.f32[N - 1] > 1e38f,
       "fall for min goes up through that of f32");
}

/* How often the running maximum of bytes changes, and how many elements are as great as it was
 * before them, or, of the last 64, not greater. *blocks_p: how many changes are at the first or the
 * last element of a block of 16. */
static size_t count_steps(const int8_t *x, size_t count, size_t *idle_p, size_t *blocks_p)
{
    enum { LAST = 64, BLOCK = 16 };
    size_t steps = 0, idle = 0, blocks = 0;
    int8_t best = INT8_MIN;
    for (size_t i = 0; i < count; i++) {
        const bool grows = x[i] > best, at_edge = (i + 1) % BLOCK < 2;
        idle += best > INT8_MIN && !grows && (x[i] == best || i + LAST >= count);
        steps += grows;
        blocks += grows && at_edge;
        if (grows)
            best = x[i];
    }
    *idle_p = idle;
    *blocks_p = blocks;
    return steps;
}

/* Types with fewer values than a scan has elements. */
static void check_narrow(void)
{
    static array x, y;
    size_t idle = 0, blocks = 0, same = 0, of_type = 0;
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_I8, INPUT_CLIMB);
    ok(count_steps(x.i8, N, &idle, &blocks) > 250 && x.i8[N - 1] == INT8_MAX,
       "climb of i8 changes the running max nearly as often as it can");
    ok(idle == 0, "all its elements but these are less, and the last 64 are of these");
    ok(blocks > 255 / 4, "many are at the edges of blocks");
    input_spec spec = spec_of(SCAN_OP_MAX, SCAN_DTYPE_I8, INPUT_CLIMB);
    spec.scan_n = N / 2;
    input_fill(&spec, 0, N, &x);
    for (size_t i = 0; i < N / 2; i++)
        same += x.i8[i] == x.i8[N / 2 + i];
    ok(same < N / 8 && count_steps(x.i8 + N / 2, N / 2, &idle, &blocks) > 240,
       "each row has steps of its own");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_U8, INPUT_CLIMB);
    for (size_t i = 0; i < N; i++)
        y.i8[i] = (int8_t)(INT8_MAX - x.u8[i]);
    ok(count_steps(y.i8, N, &idle, &blocks) > 250 && x.u8[N - 1] == 0 && idle == 0,
       "climb of u8 for min does so down to 0");
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_I8, INPUT_CLOSE);
    ok(count_steps(x.i8, N, &idle, &blocks) > 200 && x.i8[N - 1] > INT8_MAX - 4,
       "close of i8 climbs to the end, too");
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_I8, INPUT_GROWING);
    fill(&y, SCAN_OP_SUM, SCAN_DTYPE_U16, INPUT_GROWING);
    for (size_t i = 0; i < N; i++)
        of_type += x.i8[i] >= 120 && y.u16[i] >= 61440;
    ok(of_type == N, "growing is the upper sixteenth of the positive integers");
}

static void check_constants(void)
{
    static array x;
    input_spec spec = spec_of(SCAN_OP_SUM, SCAN_DTYPE_I64, INPUT_IMPULSE);
    static const uint64_t positions[] = {0, 511, 512, 513, N - 1};
    int right = 1;
    for (size_t p = 0; p < 5; p++) {
        spec.position = positions[p];
        input_fill(&spec, 0, N, &x);
        for (uint64_t i = 0; i < N; i++)
            right &= x.i64[i] == (i == positions[p] ? 1234567 : 0);
    }
    ok(right, "an impulse is one value at its position and 0 elsewhere");
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_F32, INPUT_IMPULSE);
    ok(isinf(x.f32[0]) && x.f32[0] < 0 && x.f32[N - 1] == 1234567, "or the identity, elsewhere");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, INPUT_IMPULSE);
    ok(x.u32[0] == 1 && x.u32[1] == 0 && x.u32[2 * N - 2] == 7654321 && x.u32[2 * N - 1] == 1234567,
       "which for affine is (1, 0)");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_U32, INPUT_ONES);
    ok(x.u32[0] == 1 && x.u32[N - 1] == 1, "ones are ones");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_ONES);
    ok(x.f32[0] == 1 && x.f32[2 * N - 1] == 1, "and (1, 1) as pairs");
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_ALTERNATING);
    int opposite = 1, varied = 0;
    for (size_t i = 0; i + 3 < N; i += 2) {
        opposite &= x.u32[i] != 0 && x.u32[i] + x.u32[i + 1] == 0;
        varied += x.u32[i] != x.u32[i + 2];
    }
    ok(opposite && varied == N / 2 - 1, "alternating is +v, -v, with another v each time");
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_EXTREMES);
    int least = 0, greatest = 0, alike = 0;
    for (size_t i = 0; i < N; i++) {
        least += x.i32[i] == INT32_MIN;
        alike += i / 1024 % 2 == 1 && x.i32[i] == INT32_MIN;
        greatest += x.i32[i] == INT32_MAX;
    }
    ok(least > N / 8 && greatest > N / 16, "extremes of i32 hold both ends of the type");
    ok(alike == 2048, "every other 1024 of a sum are the least value");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_F64, INPUT_EXTREMES);
    least = greatest = 0;
    int below = 0, above = 0;
    for (size_t i = 0; i < N; i++) {
        least += x.f64[i] == -DBL_MAX;
        greatest += x.f64[i] == DBL_MAX;
        below += x.f64[i] == -INFINITY;
        above += x.f64[i] == INFINITY;
    }
    ok(least > N / 8 && greatest > N / 8, "extremes of f64 hold both ends of the finite range");
    ok(below > N / 128 && above > N / 128, "and both infinities");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_EXTREMES);
    int dropped = 0;
    for (size_t i = 0; i < N; i++)
        dropped += x.f32[2 * i] == 0;
    ok(dropped > N / 64 && dropped < N / 16, "extremes of f32x2 drop the carry now and then");
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_F64, INPUT_EXTREMES);
    int finite = 1;
    for (size_t i = 0; i < N; i++)
        finite &= isfinite(x.f64[i]) != 0;
    ok(finite, "which nobody adds");
}

/* Running results that programs take for marks, and neighbours that floats cannot tell apart. */
static void check_tricky(void)
{
    static array x;
    uint32_t sum = 0;
    size_t none = 0, all = 0, apart = 0;
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_MARKS);
    for (size_t i = 0; i < N; i++) {
        sum += x.u32[i];
        none += sum == 0;
        all += sum == UINT32_MAX;
    }
    ok(none > N / 8 && all > N / 8, "sums of marks are often 0 and -1");
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_U64, INPUT_CLOSE);
    for (size_t i = 0; i + 1 < N; i++)
        apart += x.u64[i] != x.u64[i + 1] && (double)x.u64[i] == (double)x.u64[i + 1];
    ok(apart > N / 2, "neighbours of close u64 are one double");
    ok(x.u64[0] >> 32 == x.u64[N - 1] >> 32 && !(x.u64[0] >> 31 & 1) && x.u64[N - 1] >> 31 & 1,
       "and differ in their lower words, of which some are negative");
}

/* How many values of an array are subnormal, and whether all are multiples of the least one, below
 * 2^25 of them. */
static size_t count_subnormals(const float *x, size_t count, int *multiples_p)
{
    size_t subnormal = 0;
    *multiples_p = 1;
    for (size_t i = 0; i < count; i++) {
        const double times = (double)x[i] * 0x1p149;
        *multiples_p &= times == floor(times) && fabs(times) < 0x1p25;
        subnormal += x[i] != 0 && fabsf(x[i]) < FLT_MIN;
    }
    return subnormal;
}

/* Floats that a device may take for 0. */
static void check_subnormals(void)
{
    static array x;
    int multiples = 0, signs = 1, below = 0, above = 0;
    fill(&x, SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_SUBNORMALS);
    const size_t summed = count_subnormals(x.f32, N, &multiples);
    ok(multiples && summed > N / 2 && summed < N,
       "subnormals for sums are subnormal f32 and the least normal ones");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_SUBNORMALS);
    for (size_t i = 0; i < N; i++) {
        signs &= fabsf(x.f32[2 * i]) == 1;
        x.f32[i] = x.f32[2 * i + 1];
    }
    ok(signs && count_subnormals(x.f32, N, &multiples) > N / 2 && multiples,
       "so is b of pairs, with a = 1 or -1");
    fill(&x, SCAN_OP_MIN, SCAN_DTYPE_F64, INPUT_SUBNORMALS);
    ok(changes_f64(x.f64, 1) > N / 20 && x.f64[0] > 0 && x.f64[0] < DBL_MIN && x.f64[N - 1] < 0 &&
           x.f64[N - 1] > -DBL_MIN,
       "for min of f64 they change the running result to the end");
    fill(&x, SCAN_OP_MAX, SCAN_DTYPE_F32, INPUT_SUBNORMALS);
    for (size_t i = 0; i < N; i++) {
        below += x.f32[i] < 0;
        above += x.f32[i] > 0;
    }
    ok(changes_f32(x.f32, 0) > N / 20 && count_subnormals(x.f32, N, &multiples) > N - N / 10 &&
           below > N / 3 && above > N / 3,
       "and for max, on both sides of 0");
}

static void check_factors(void)
{
    static array x;
    int general = 0, alike = 1;
    double product = 1, least = 1, greatest = 1;
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_FACTORS);
    for (size_t i = 0; i < N; i++) {
        general += (x.u32[2 * i] & 0xffff) != 0;
        product *= (double)x.f32[2 * i];
        least = fmin(least, fabs(product));
        greatest = fmax(greatest, fabs(product));
        alike &= signbit(product) == (signbit(x.f32[2 * i + 1]) != 0);
    }
    ok(general > N - N / 100, "factors have bits that no narrower float has");
    ok(least > 0.99 && greatest < 2.01 && alike,
       "their products stay between 1 and 2, with the sign of b");
    fill(&x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, INPUT_NAN);
    ok(isfinite(x.f32[2 * N - 3]) && isfinite(x.f32[2 * N - 2]) && isnan(x.f32[2 * N - 1]),
       "nan is no number at its position, in b of a pair");
}

static void check_patterns(void)
{
    int round_trip = 1;
    for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++)
        round_trip &= pattern_find(pattern_name(pattern)) == (int)pattern;
    ok(round_trip, "patterns are found by their words");
    is_text(pattern_name(INPUT_EXACT), "exact", "the pattern 1 is exact");
    is_text(pattern_name(INPUT_PATTERN_COUNT), "?", "an unknown pattern is ?");
    ok(pattern_find("zeros") == -1, "no pattern is called zeros");
    ok(input_default(SCAN_OP_MAX) == INPUT_CLIMB && input_default(SCAN_OP_MIN) == INPUT_CLIMB &&
           input_default(SCAN_OP_SUM) == INPUT_RANDOM &&
           input_default(SCAN_OP_AFFINE) == INPUT_RANDOM,
       "max and min are measured on climb, sum and affine on random");
}

int main(void)
{
    tap_plan(68);
    check_factors();
    check_known();
    check_pure();
    check_random();
    check_climb();
    check_narrow();
    check_constants();
    check_tricky();
    check_subnormals();
    check_patterns();
    return tap_done();
}
