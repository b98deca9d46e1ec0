/* dtype_test.c - each line of the table of dtypes agrees with the dtype's word */
#include "tap.h"

#include "problem/component.h"
#include "problem/element.h"
#include "problem/names.h"

#include <math.h>
#include <stdlib.h>

/* A word is i, u, f or bf, the bits of a component, and x2 for a pair: i32, f32x2. */
static void check_word(uint32_t dtype)
{
    const dtype_info *type = dtype_get(dtype);
    const char *word = dtype_name(dtype) + (dtype == SCAN_DTYPE_BF16 ? 1 : 0);
    char *end;
    const unsigned long bits = strtoul(word + 1, &end, 10);
    const unsigned long components = *end == 'x' ? strtoul(end + 1, NULL, 10) : 1;
    ok(type->bits == bits && type->components == components &&
           type->bytes == bits / 8 * components && dtype_bytes(dtype) == type->bytes,
       "%s has the size that its word says", word);
    ok(dtype_is_float(dtype) == (*word == 'f') && type->is_signed == (*word != 'u') &&
           dtype_is_integer(dtype) == (*word != 'f' && components == 1),
       "%s is the number that its word says", word);
}

/* For a float, 2^digits is the first integer whose successor is missing, and 2 * 2^exact is exact.
 * An integer has no digits. */
static void check_digits(uint32_t dtype)
{
    const dtype_info *type = dtype_get(dtype);
    const double edge = ldexp(1, (int)type->digits);
    const any_element before = element_of(dtype, edge - 1, 0), at = element_of(dtype, edge, 0);
    const any_element behind = element_of(dtype, edge + 1, 0);
    if (dtype_is_float(dtype))
        ok(!element_same(dtype, &before, &at) && element_same(dtype, &at, &behind) &&
               type->exact + 1 < type->digits,
           "%s has %u digits, more than exact inputs take", dtype_name(dtype), type->digits);
    else
        ok(type->digits == 0 && type->exact > 0, "%s has no digits", dtype_name(dtype));
}

/* A value that is set is read again, in its component and nowhere else. */
static void check_components(uint32_t dtype)
{
    enum { COUNT = 4 };
    const size_t components = (size_t)COUNT * dtype_get(dtype)->components;
    const dtype_info *type = dtype_get(dtype);
    any_element elements[COUNT];
    int right = 1;
    memset(elements, 0, sizeof elements);
    for (size_t i = 0; i < components; i++)
        component_set(*type, elements, i, UINT64_MAX - i, -1.0 - (double)i);
    for (size_t i = 0; i < components; i++) {
        const uint64_t mask = UINT64_MAX >> (64 - type->bits);
        if (dtype_is_float(dtype))
            right &= component_real(*type, elements, i) == -1.0 - (double)i;
        else
            right &= component_integer(*type, elements, i) ==
                     (type->is_signed ? UINT64_MAX - i : (UINT64_MAX - i) & mask);
    }
    const unsigned char *bytes = (const unsigned char *)elements;
    for (size_t i = COUNT * dtype_bytes(dtype); i < sizeof elements; i++)
        right &= bytes[i] == 0;
    ok(right, "components of %s are read as they were set", dtype_name(dtype));
}

int main(void)
{
    tap_plan(4 * SCAN_DTYPE_COUNT + 2);
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++) {
        check_word(dtype);
        check_digits(dtype);
        check_components(dtype);
    }
    ok(dtype_bytes(SCAN_DTYPE_COUNT) == 0 && !dtype_is_float(SCAN_DTYPE_COUNT) &&
           !dtype_is_integer(SCAN_DTYPE_COUNT),
       "an unknown dtype has no size and is not a number");
    ok(dtype_get(UINT32_MAX) != NULL, "its entry is not NULL");
    return tap_done();
}
