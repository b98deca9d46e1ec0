#include "problem/element.h"

#include "problem/component.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

any_element element_of(uint32_t dtype, double value, double second)
{
    const dtype_info type = *dtype_get(dtype);
    any_element result;
    memset(&result, 0, sizeof result);
    for (size_t i = 0; i < type.components; i++) {
        const double half = i == 0 ? value : second;
        const int64_t integer = type.digits > 0 ? 0 : (int64_t)half;
        component_set(type, &result, i, (uint64_t)integer, half);
    }
    return result;
}

any_element element_end(uint32_t dtype, bool greatest)
{
    const dtype_info type = *dtype_get(dtype);
    const uint64_t least = type.is_signed ? UINT64_C(1) << (type.bits - 1) : 0;
    any_element result;
    memset(&result, 0, sizeof result);
    for (size_t i = 0; i < type.components; i++)
        component_set(type, &result, i, greatest ? ~least : least,
                      greatest ? (double)INFINITY : -(double)INFINITY);
    return result;
}

/* An element's bytes where they are aligned for any dtype. */
static any_element aligned(const dtype_info *type, const void *from)
{
    any_element value;
    memset(&value, 0, sizeof value);
    memcpy(&value, from, type->bytes);
    return value;
}

bool element_same(uint32_t dtype, const void *one, const void *other)
{
    const dtype_info type = *dtype_get(dtype);
    if (!dtype_is_float(dtype))
        return memcmp(one, other, type.bytes) == 0;
    const any_element x = aligned(&type, one), y = aligned(&type, other);
    bool same = true;
    for (size_t i = 0; i < type.components; i++)
        same = same && component_real(type, &x, i) == component_real(type, &y, i);
    return same;
}

/* Prints component i with enough digits to tell it from every other value. */
static int print(dtype_info type, const any_element *value, size_t i, char *text, size_t bytes)
{
    if (type.digits > 0) {
        const int decimals = 2 + (int)(type.digits * 0.30103); /* log10(2) */
        return snprintf(text, bytes, "%.*g", decimals, component_real(type, value, i));
    }
    const uint64_t number = component_integer(type, value, i);
    return type.is_signed ? snprintf(text, bytes, "%" PRId64, (int64_t)number)
                          : snprintf(text, bytes, "%" PRIu64, number);
}

const char *element_text(uint32_t dtype, const void *from, char *text, size_t bytes)
{
    const dtype_info type = *dtype_get(dtype);
    const any_element value = aligned(&type, from);
    char part[2][ELEMENT_TEXT_BYTES / 2] = {"?", ""};
    for (size_t i = 0; i < type.components; i++)
        print(type, &value, i, part[i], sizeof part[i]);
    if (type.components == 2)
        snprintf(text, bytes, "(%s, %s)", part[0], part[1]);
    else
        snprintf(text, bytes, "%s", part[0]);
    return text;
}
