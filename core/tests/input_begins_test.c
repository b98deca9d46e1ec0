/* input_begins_test.c - where an input is said to begin another one, it does */
#include "tap.h"

#include "problem/input.h"
#include "problem/names.h"
#include "problem/op.h"

enum { SHORT = 100, LONG = 70000, WIDEST = 8 };

static int begins(const input_spec *one, const input_spec *other)
{
    static unsigned char small[SHORT * WIDEST], large[LONG * WIDEST];
    input_fill(one, 0, one->n, small);
    input_fill(other, 0, other->n, large);
    return memcmp(small, large, SHORT * dtype_bytes(one->dtype)) == 0;
}

int main(void)
{
    int said = 0, wrong = 0, exact = 0, all = 0;
    tap_plan(4);
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
            for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT && op_takes_dtype(op, dtype);
                 pattern++) {
                const input_spec one = {
                    .dtype = dtype, .op = op, .pattern = pattern, .seed = 42, .n = SHORT};
                input_spec other = one;
                other.n = LONG;
                const bool says = input_begins(&one, &other) && input_begins(&other, &one);
                said += says;
                wrong += says && !begins(&one, &other);
                exact += says && pattern == INPUT_EXACT;
                all += pattern == INPUT_EXACT;
            }
    ok(wrong == 0, "an input that is said to begin a longer one does (%d of %d do not)", wrong,
       said);
    ok(exact == all, "exact ones do, of every type and operator");
    input_spec rows = {.dtype = SCAN_DTYPE_I32, .pattern = INPUT_EXACT, .n = 12, .scan_n = 4};
    input_spec line = {.dtype = SCAN_DTYPE_I32, .pattern = INPUT_EXACT, .n = 12};
    ok(!input_begins(&rows, &line) && !input_begins(&line, &rows), "but many scans do not");
    rows = line;
    rows.seed = 1;
    ok(!input_begins(&rows, &line), "nor does one of another seed");
    return tap_done();
}
