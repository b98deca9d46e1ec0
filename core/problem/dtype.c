#include "problem/component.h"

#define INFO(name, ...) [SCAN_DTYPE_##name] = DTYPE_INFO(name, __VA_ARGS__),
static const dtype_info dtypes[SCAN_DTYPE_COUNT] = {ALL_DTYPES(INFO, )};
#undef INFO

/* Each dtype of the contract has one line in the table, with the size that the contract gives
 * it. */
#define PLUS_ONE(...) +1
_Static_assert(0 ALL_DTYPES(PLUS_ONE, ) == SCAN_DTYPE_COUNT, "dtype_table.h lacks a dtype");
#undef PLUS_ONE
#define SAME_SIZE(name, value, word, bytes) \
    _Static_assert(sizeof(name##_element) == (bytes), word " has another size in dtype_table.h");
SCAN_DTYPE_MAP(SAME_SIZE)
#undef SAME_SIZE

const dtype_info *dtype_get(uint32_t dtype)
{
    static const dtype_info unknown = {0};
    return dtype < SCAN_DTYPE_COUNT ? &dtypes[dtype] : &unknown;
}

size_t dtype_bytes(uint32_t dtype)
{
    return dtype_get(dtype)->bytes;
}

bool dtype_is_float(uint32_t dtype)
{
    return dtype_get(dtype)->digits > 0;
}

bool dtype_is_half(uint32_t dtype)
{
    return dtype_is_float(dtype) && dtype_bytes(dtype) == sizeof(uint16_t);
}

bool dtype_is_integer(uint32_t dtype)
{
    return dtype_get(dtype)->components == 1 && !dtype_is_float(dtype);
}

/* dtype_widens, which the compiler decides where both are constants. */
FOR_EACH_DTYPE bool widens(dtype_info from, dtype_info to)
{
    return from.components == 1 && to.components == 1 && (from.digits > 0) == (to.digits > 0) &&
           from.is_signed == to.is_signed && to.bits > from.bits;
}

bool dtype_widens(uint32_t from, uint32_t to)
{
    return widens(*dtype_get(from), *dtype_get(to));
}

uint32_t dtype_wide_result(uint32_t dtype)
{
    const dtype_info *from = dtype_get(dtype);
    for (uint32_t to = 0; to < SCAN_DTYPE_COUNT; to++)
        if (dtype_widens(dtype, to) && dtype_get(to)->bits == (from->bits < 32 ? 32 : 64))
            return RESULT_OF(to);
    return 0;
}

/* A loop for each pair that widens. */
FOR_EACH_DTYPE void widen_pair(dtype_info from, const void *in, dtype_info to, void *out,
                               size_t count)
{
    if (widens(from, to) && to.digits > 0)
        for (size_t i = 0; i < count; i++)
            component_set(to, out, i, 0, component_real(from, in, i));
    else if (widens(from, to))
        for (size_t i = 0; i < count; i++)
            component_set(to, out, i, component_integer(from, in, i), 0);
}

FOR_EACH_DTYPE void widen_from(dtype_info from, const void *in, uint32_t to, void *out,
                               size_t count)
{
#define CASE(name, ...)                                                              \
    case SCAN_DTYPE_##name:                                                          \
        widen_pair(from, in, (dtype_info)DTYPE_INFO(name, __VA_ARGS__), out, count); \
        break;
    switch (to) {
        SCALAR_DTYPES(CASE, )
    default:
        break;
    }
#undef CASE
}

void dtype_widen(uint32_t from, const void *in, uint32_t to, void *out, size_t count)
{
#define CASE(name, ...)                                                            \
    case SCAN_DTYPE_##name:                                                        \
        widen_from((dtype_info)DTYPE_INFO(name, __VA_ARGS__), in, to, out, count); \
        break;
    switch (from) {
        SCALAR_DTYPES(CASE, )
    default:
        break;
    }
#undef CASE
}
