/* op_test.c - each line of the table of operators agrees with its arithmetic */
#include "tap.h"

#include "problem/input.h"
#include "problem/names.h"
#include "problem/op_scan.h"

enum { COUNT = 64 };

typedef struct values {
    any_element elements[COUNT]; /* packed, whatever the size of an element */
} values;

static any_element at(const values *x, uint32_t dtype, size_t i)
{
    any_element one = element_of(dtype, 0, 0);
    memcpy(&one, (const unsigned char *)x + i * dtype_bytes(dtype), dtype_bytes(dtype));
    return one;
}

/* left (+) right, which is the second element of an inclusive scan of both. */
static any_element combine(uint32_t op, uint32_t dtype, any_element left, any_element right)
{
    op_scan scan = {op, dtype, true, left};
    any_element result = element_of(dtype, 0, 0);
    op_scan_next(&scan, &right, &result, 1);
    return result;
}

/* Values on which the sums below are exact in any association. */
static values inputs(uint32_t op, uint32_t dtype, input_pattern pattern)
{
    const input_spec spec = {
        .dtype = dtype, .op = op, .pattern = pattern, .seed = 7, .n = COUNT, .position = 3};
    values x;
    memset(&x, 0, sizeof x);
    input_fill(&spec, 0, COUNT, &x);
    return x;
}

/* Is e (+) x = x = x (+) e? */
static int has_identity(uint32_t op, uint32_t dtype, const values *x)
{
    const any_element identity = op_identity(op, dtype);
    int right = 1;
    for (size_t i = 0; i < COUNT; i++) {
        const any_element one = at(x, dtype, i);
        const any_element left = combine(op, dtype, identity, one);
        const any_element behind = combine(op, dtype, one, identity);
        right &= element_same(dtype, &left, &one) && element_same(dtype, &behind, &one);
    }
    return right;
}

static int is_associative(uint32_t op, uint32_t dtype, const values *x)
{
    int right = 1;
    for (size_t i = 0; i + 2 < COUNT; i++) {
        const any_element a = at(x, dtype, i), b = at(x, dtype, i + 1), c = at(x, dtype, i + 2);
        const any_element left = combine(op, dtype, combine(op, dtype, a, b), c);
        const any_element behind = combine(op, dtype, a, combine(op, dtype, b, c));
        right &= element_same(dtype, &left, &behind);
    }
    return right;
}

static int commutes(uint32_t op, uint32_t dtype, const values *x)
{
    int right = 1;
    for (size_t i = 0; i + 1 < COUNT; i++) {
        const any_element a = at(x, dtype, i), b = at(x, dtype, i + 1);
        const any_element ab = combine(op, dtype, a, b), ba = combine(op, dtype, b, a);
        right &= element_same(dtype, &ab, &ba);
    }
    return right;
}

/* Is the result always one of the operands? */
static int selects(uint32_t op, uint32_t dtype, const values *x)
{
    int right = 1;
    for (size_t i = 0; i + 1 < COUNT; i++) {
        const any_element a = at(x, dtype, i), b = at(x, dtype, i + 1);
        const any_element ab = combine(op, dtype, a, b);
        right &= element_same(dtype, &ab, &a) || element_same(dtype, &ab, &b);
    }
    return right;
}

/* Compares both kinds of scan, in two pieces, with combine. */
static int scans(uint32_t op, uint32_t dtype, const values *x)
{
    int right = 1;
    for (int inclusive = 0; inclusive < 2; inclusive++) {
        const size_t width = dtype_bytes(dtype), split = 23;
        op_scan scan = {op, dtype, inclusive, op_identity(op, dtype)};
        any_element sum = scan.carry;
        values y;
        op_scan_next(&scan, x, &y, split);
        op_scan_next(&scan, (const unsigned char *)x + split * width,
                     (unsigned char *)&y + split * width, COUNT - split);
        for (size_t i = 0; i < COUNT; i++) {
            const any_element next = combine(op, dtype, sum, at(x, dtype, i));
            const any_element got = at(&y, dtype, i);
            right &= element_same(dtype, &got, inclusive ? &next : &sum);
            sum = next;
        }
    }
    return right;
}

static void check_laws(uint32_t op, uint32_t dtype)
{
    const char *word = op_name(op), *type = dtype_name(dtype);
    const values exact = inputs(op, dtype, INPUT_EXACT);
    const values extremes = inputs(op, dtype, INPUT_EXTREMES);
    ok(has_identity(op, dtype, &exact) && has_identity(op, dtype, &extremes),
       "%s of %s has its identity", word, type);
    ok(is_associative(op, dtype, &exact) && is_associative(op, dtype, &extremes),
       "%s of %s is associative", word, type);
    ok(commutes(op, dtype, &exact) == op_commutes(op), "%s of %s commutes if it says so", word,
       type);
    ok(selects(op, dtype, &exact) == op_selects(op), "%s of %s selects if it says so", word, type);
    ok(scans(op, dtype, &exact), "%s of %s is scanned from left to right", word, type);
}

static void check_identities(void)
{
    static const struct {
        uint32_t op, dtype;
        const char *text;
    } known[] = {
        {SCAN_OP_SUM, SCAN_DTYPE_I64, "0"},
        {SCAN_OP_SUM, SCAN_DTYPE_F64, "0"},
        {SCAN_OP_MAX, SCAN_DTYPE_I32, "-2147483648"},
        {SCAN_OP_MAX, SCAN_DTYPE_U32, "0"},
        {SCAN_OP_MAX, SCAN_DTYPE_I64, "-9223372036854775808"},
        {SCAN_OP_MAX, SCAN_DTYPE_F32, "-inf"},
        {SCAN_OP_MIN, SCAN_DTYPE_I32, "2147483647"},
        {SCAN_OP_MIN, SCAN_DTYPE_U64, "18446744073709551615"},
        {SCAN_OP_MIN, SCAN_DTYPE_F64, "inf"},
        {SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, "(1, 0)"},
        {SCAN_OP_AFFINE, SCAN_DTYPE_F32X2, "(1, 0)"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const any_element identity = op_identity(known[i].op, known[i].dtype);
        char text[ELEMENT_TEXT_BYTES];
        is_text(element_text(known[i].dtype, &identity, text, sizeof text), known[i].text,
                "the identity of %s on %s is %s", op_name(known[i].op), dtype_name(known[i].dtype),
                known[i].text);
    }
}

static void check_properties(void)
{
    ok(op_dtypes(SCAN_OP_AFFINE) == SCAN_PAIRS_1_0, "affine is defined on the pairs alone");
    ok((op_dtypes(SCAN_OP_SUM) & op_dtypes(SCAN_OP_MIN) & op_dtypes(SCAN_OP_MAX) &
        (SCAN_SCALARS_1_0 | SCAN_PAIRS_1_0 | SCAN_NARROW_1_1)) ==
           (SCAN_SCALARS_1_0 | SCAN_NARROW_1_1),
       "sum, min and max are defined on the scalars alone");
    ok(op_dtypes(SCAN_OP_COUNT) == 0 && !op_takes_dtype(SCAN_OP_SUM, SCAN_DTYPE_COUNT) &&
           !op_takes_dtype(SCAN_OP_SUM, UINT32_MAX),
       "an unknown operator or dtype is defined on nothing");
    int first = 1;
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
        first &= op_takes_dtype(op_first_on(dtype), dtype);
    ok(first && op_first_on(SCAN_DTYPE_I32) == SCAN_OP_SUM &&
           op_first_on(SCAN_DTYPE_F32X2) == SCAN_OP_AFFINE,
       "every dtype has a first operator");
    ok(op_gives(SCAN_OP_MAX) == OP_GREATEST && op_gives(SCAN_OP_MIN) == OP_LEAST,
       "max gives the greatest, min the least");
    ok(op_rounds(SCAN_OP_SUM, SCAN_DTYPE_F32) && op_rounds(SCAN_OP_AFFINE, SCAN_DTYPE_F32X2) &&
           !op_rounds(SCAN_OP_SUM, SCAN_DTYPE_I32) && !op_rounds(SCAN_OP_MAX, SCAN_DTYPE_F32),
       "sums of floats round, those of integers and what is selected does not");
}

int main(void)
{
    int defined = 0;
    for (uint32_t i = 0; i < SCAN_OP_COUNT * SCAN_DTYPE_COUNT; i++)
        defined += op_takes_dtype(i / SCAN_DTYPE_COUNT, i % SCAN_DTYPE_COUNT);
    tap_plan(5 * defined + 17);
    for (uint32_t i = 0; i < SCAN_OP_COUNT * SCAN_DTYPE_COUNT; i++)
        if (op_takes_dtype(i / SCAN_DTYPE_COUNT, i % SCAN_DTYPE_COUNT))
            check_laws(i / SCAN_DTYPE_COUNT, i % SCAN_DTYPE_COUNT);
    check_identities();
    check_properties();
    return tap_done();
}
