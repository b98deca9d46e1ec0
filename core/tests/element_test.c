/* element_test.c - elements: their values, their text, their equality */
#include "tap.h"

#include "problem/element.h"
#include "problem/names.h"

#include <math.h>

static void check_text(void)
{
    char text[ELEMENT_TEXT_BYTES];
    const int32_t minus = -5;
    const uint64_t large = UINT64_MAX;
    const float tenth = 0.1f;
    const uint32_t pair[2] = {3, UINT32_MAX};
    is_text(element_text(SCAN_DTYPE_I32, &minus, text, sizeof text), "-5", "i32 as text");
    is_text(element_text(SCAN_DTYPE_U64, &large, text, sizeof text), "18446744073709551615",
            "u64 as text");
    is_text(element_text(SCAN_DTYPE_F32, &tenth, text, sizeof text), "0.100000001",
            "f32 as text has all its digits");
    is_text(element_text(SCAN_DTYPE_U32X2, pair, text, sizeof text), "(3, 4294967295)",
            "u32x2 as text");
}

static void check_values(void)
{
    static const struct {
        uint32_t dtype;
        const char *of, *least, *greatest;
    } known[] = {
        {SCAN_DTYPE_I32, "-3", "-2147483648", "2147483647"},
        {SCAN_DTYPE_I64, "-3", "-9223372036854775808", "9223372036854775807"},
        {SCAN_DTYPE_U32, "4294967293", "0", "4294967295"},
        {SCAN_DTYPE_U64, "18446744073709551613", "0", "18446744073709551615"},
        {SCAN_DTYPE_F32, "-3", "-inf", "inf"},
        {SCAN_DTYPE_F32X2, "(-3, 5)", "(-inf, -inf)", "(inf, inf)"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint32_t dtype = known[i].dtype;
        const any_element three = element_of(dtype, -3, 5);
        const any_element least = element_end(dtype, false), greatest = element_end(dtype, true);
        char text[ELEMENT_TEXT_BYTES];
        is_text(element_text(dtype, &three, text, sizeof text), known[i].of, "-3 as %s",
                dtype_name(dtype));
        is_text(element_text(dtype, &least, text, sizeof text), known[i].least, "the least %s",
                dtype_name(dtype));
        is_text(element_text(dtype, &greatest, text, sizeof text), known[i].greatest,
                "the greatest %s", dtype_name(dtype));
    }
    const any_element unknown = element_of(SCAN_DTYPE_COUNT, 3, 5);
    char text[ELEMENT_TEXT_BYTES];
    is_text(element_text(SCAN_DTYPE_COUNT, &unknown, text, sizeof text), "?",
            "an element of an unknown dtype has no text");
}

/* For every dtype, a value that is set is read again and equals only itself. */
static void check_same(void)
{
    int same = 1, other_half = 1, nan = 1;
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++) {
        const any_element one = element_of(dtype, 3, 5), equal = element_of(dtype, 3, 5);
        const any_element first = element_of(dtype, 4, 5), second = element_of(dtype, 3, 6);
        same &= element_same(dtype, &one, &equal) && !element_same(dtype, &one, &first);
        if (dtype_get(dtype)->components == 2)
            other_half &= !element_same(dtype, &one, &second);
        if (!dtype_is_float(dtype))
            continue;
        const any_element zero = element_of(dtype, 0, 0), minus = element_of(dtype, -0.0, -0.0);
        const any_element none = element_of(dtype, NAN, NAN);
        nan &= element_same(dtype, &zero, &minus) && !element_same(dtype, &none, &none);
    }
    ok(same, "elements of every dtype are the same where their values are");
    ok(other_half, "both halves of a pair count");
    ok(nan, "-0 is 0, and NaN is not even itself");
}

int main(void)
{
    tap_plan(26);
    check_text();
    check_values();
    check_same();
    return tap_done();
}
