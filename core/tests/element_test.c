/* element_test.c - elements as text, and the identities */
#include "tap.h"

#include "problem/element.h"
#include "problem/names.h"

static void check_text(void)
{
    char text[80];
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
        const element identity = element_identity(known[i].op, known[i].dtype);
        char text[80];
        is_text(element_text(known[i].dtype, &identity, text, sizeof text), known[i].text,
                "the identity of %s on %s is %s", op_name(known[i].op), dtype_name(known[i].dtype),
                known[i].text);
    }
}

int main(void)
{
    tap_plan(15);
    check_text();
    check_identities();
    return tap_done();
}
