#include "problem/dtype.h"

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
