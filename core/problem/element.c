#include "problem/element.h"

#include "problem/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

element element_of(uint32_t dtype, double value, double second)
{
    element result = {.u64 = 0};
    switch (dtype) {
    case SCAN_DTYPE_I32:
        result.i32 = (int32_t)value;
        break;
    case SCAN_DTYPE_U32:
        result.u32[0] = (uint32_t)value;
        break;
    case SCAN_DTYPE_I64:
        result.i64 = (int64_t)value;
        break;
    case SCAN_DTYPE_U64:
        result.u64 = (uint64_t)value;
        break;
    case SCAN_DTYPE_F32:
        result.f32[0] = (float)value;
        break;
    case SCAN_DTYPE_F64:
        result.f64 = value;
        break;
    case SCAN_DTYPE_U32X2:
        result.u32[0] = (uint32_t)value;
        result.u32[1] = (uint32_t)second;
        break;
    default:
        result.f32[0] = (float)value;
        result.f32[1] = (float)second;
        break;
    }
    return result;
}

static element limit_of(uint32_t dtype, bool least)
{
    element result = {.u64 = 0};
    switch (dtype) {
    case SCAN_DTYPE_I32:
        result.i32 = least ? INT32_MIN : INT32_MAX;
        break;
    case SCAN_DTYPE_U32:
        result.u32[0] = least ? 0 : UINT32_MAX;
        break;
    case SCAN_DTYPE_I64:
        result.i64 = least ? INT64_MIN : INT64_MAX;
        break;
    case SCAN_DTYPE_U64:
        result.u64 = least ? 0 : UINT64_MAX;
        break;
    default:
        result = element_of(dtype, least ? -INFINITY : INFINITY, 0);
        break;
    }
    return result;
}

element element_identity(uint32_t op, uint32_t dtype)
{
    switch (op) {
    case SCAN_OP_MAX:
    case SCAN_OP_MIN:
        return limit_of(dtype, op == SCAN_OP_MAX);
    case SCAN_OP_AFFINE:
        return element_of(dtype, 1, 0);
    default:
        return element_of(dtype, 0, 0);
    }
}

const char *element_text(uint32_t dtype, const void *from, char *text, size_t bytes)
{
    element value = {.u64 = 0};
    memcpy(&value, from, dtype_bytes(dtype));
    switch (dtype) {
    case SCAN_DTYPE_I32:
        snprintf(text, bytes, "%" PRId32, value.i32);
        break;
    case SCAN_DTYPE_U32:
        snprintf(text, bytes, "%" PRIu32, value.u32[0]);
        break;
    case SCAN_DTYPE_I64:
        snprintf(text, bytes, "%" PRId64, value.i64);
        break;
    case SCAN_DTYPE_U64:
        snprintf(text, bytes, "%" PRIu64, value.u64);
        break;
    case SCAN_DTYPE_F32:
        snprintf(text, bytes, "%.9g", (double)value.f32[0]);
        break;
    case SCAN_DTYPE_F64:
        snprintf(text, bytes, "%.17g", value.f64);
        break;
    case SCAN_DTYPE_U32X2:
        snprintf(text, bytes, "(%" PRIu32 ", %" PRIu32 ")", value.u32[0], value.u32[1]);
        break;
    case SCAN_DTYPE_F32X2:
        snprintf(text, bytes, "(%.9g, %.9g)", (double)value.f32[0], (double)value.f32[1]);
        break;
    default:
        snprintf(text, bytes, "?");
        break;
    }
    return text;
}
