/* input_exact_test.c - the partial results of exact inputs need no rounding */
#include "tap.h"

#include "problem/input.h"

#include <math.h>

enum { N = 5000 };

/* Tests f32 only: if 24 bits are enough, so are 53. */
static void fill(float *to, uint32_t op, uint32_t dtype, input_pattern pattern)
{
    const input_spec spec = {.dtype = dtype, .op = op, .pattern = pattern, .seed = 42, .n = N};
    input_fill(&spec, 0, N, to);
}

/* Sums of neighbours are the same in another association, bit for bit. */
static int tree_agrees(const float *x, size_t count, double exact)
{
    static float level[N];
    memcpy(level, x, count * sizeof *level);
    for (size_t length = count; length > 1; length = (length + 1) / 2)
        for (size_t i = 0; i < (length + 1) / 2; i++)
            level[i] = level[2 * i] + (2 * i + 1 < length ? level[2 * i + 1] : 0);
    return (double)level[0] == exact;
}

static int sums_exact(input_pattern pattern)
{
    static float x[2 * N];
    int exact = 1;
    fill(x, SCAN_OP_SUM, SCAN_DTYPE_F32, pattern);
    for (size_t first = 0; first < N; first += 97) {
        double sum = 0;
        float serial = 0;
        for (size_t i = first; i < N; i++) {
            sum += (double)x[i];
            serial += x[i];
            exact &= (double)serial == sum && isfinite(serial);
        }
        exact &= tree_agrees(x + first, N - first, sum);
    }
    return exact;
}

/* Every range of affine pairs gives the same from left to right and as left half (+) right half. */
static int affine_exact(input_pattern pattern)
{
    static float x[2 * N];
    int exact = 1;
    fill(x, SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, pattern);
    for (size_t first = 0; first + 64 <= N; first += 61) {
        float a[2] = {1, 1}, b[2] = {0, 0};
        double wide = 0;
        for (size_t i = 0; i < 64; i++) {
            const float *pair = x + 2 * (first + i);
            a[i / 32] *= pair[0];
            b[i / 32] = b[i / 32] * pair[0] + pair[1];
            wide = wide * (double)pair[0] + (double)pair[1];
        }
        exact &= (double)(b[0] * a[1] + b[1]) == wide && isfinite(wide);
    }
    return exact;
}

static void check_exact(void)
{
    ok(sums_exact(INPUT_EXACT), "sums of exact f32 are exact in any association");
    ok(sums_exact(INPUT_ALTERNATING), "so are those of alternating");
    ok(sums_exact(INPUT_EXTREMES), "so are those of extremes, and finite");
    ok(sums_exact(INPUT_MARKS) && affine_exact(INPUT_MARKS), "so are those of marks");
    ok(sums_exact(INPUT_SUBNORMALS) && affine_exact(INPUT_SUBNORMALS),
       "so are those of subnormals");
    ok(sums_exact(INPUT_ONES) && sums_exact(INPUT_IMPULSE), "so are those of ones and impulse");
    ok(!sums_exact(INPUT_RANDOM), "those of random are not: the check can fail");
    ok(affine_exact(INPUT_EXACT) && affine_exact(INPUT_ALTERNATING), "affine f32x2 is exact too");
    ok(affine_exact(INPUT_EXTREMES) && affine_exact(INPUT_ONES), "in extremes and ones as well");
    ok(!affine_exact(INPUT_RANDOM), "affine of random is not: the check can fail");
    input_spec spec = {
        .op = SCAN_OP_SUM, .dtype = SCAN_DTYPE_F32, .pattern = INPUT_EXACT, .seed = 42, .n = N};
    ok(input_is_exact(&spec), "input_is_exact says so of exact");
    spec.pattern = INPUT_RANDOM;
    ok(!input_is_exact(&spec), "and not of random float sums");
    spec.dtype = SCAN_DTYPE_I32;
    ok(input_is_exact(&spec), "but of random integers");
    spec.dtype = SCAN_DTYPE_F32;
    spec.op = SCAN_OP_MAX;
    ok(input_is_exact(&spec), "and of random floats under max");
    spec = (input_spec){
        .op = SCAN_OP_SUM, .dtype = SCAN_DTYPE_F32, .pattern = INPUT_ONES, .n = UINT64_C(1) << 24};
    ok(input_is_exact(&spec), "ones are exact in f32 up to 2^24");
    spec.n++;
    ok(!input_is_exact(&spec), "but no further");
    spec.dtype = SCAN_DTYPE_F64;
    ok(input_is_exact(&spec), "in f64 they go on");
}

int main(void)
{
    tap_plan(17);
    check_exact();
    return tap_done();
}
