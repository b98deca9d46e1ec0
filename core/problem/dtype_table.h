/*
 * dtype_table.h - all that the host knows about dtypes, one line per dtype
 *
 * Each dtype of the contract (SCAN_DTYPE_MAP) has its line in one of the first five lists; nothing
 * else in the host lists dtypes. X(name, T, W, digits, exact, ...), where the dots are arguments
 * that the user of a list passes on to X:
 *
 *   T       C type of a component, which is the element itself or half of a pair; of a float of
 *           16 bits its word
 *   W       C type in which components are added and multiplied: integers wrap, so an
 *           unsigned one, at least as wide as T and int
 *   digits  bits of a float's significand; 0 for an integer
 *   exact   bits of a level in exact inputs (input.h): for a float so few that the
 *           difference of two levels, and any sum of such differences, needs no rounding; of 16
 *           bits so few that a quarter of the significand's range holds a level
 */
#ifndef SCANBENCH_PROBLEM_DTYPE_TABLE_H
#define SCANBENCH_PROBLEM_DTYPE_TABLE_H

#include "scan_plugin.h"

#include <float.h>

/* clang-format off */
#define SIGNED_DTYPES(X, ...) \
    X(I8,    int8_t,   uint32_t, 0,            20, __VA_ARGS__) \
    X(I16,   int16_t,  uint32_t, 0,            20, __VA_ARGS__) \
    X(I32,   int32_t,  uint32_t, 0,            20, __VA_ARGS__) \
    X(I64,   int64_t,  uint64_t, 0,            20, __VA_ARGS__)
#define UNSIGNED_DTYPES(X, ...) \
    X(U8,    uint8_t,  uint32_t, 0,            20, __VA_ARGS__) \
    X(U16,   uint16_t, uint32_t, 0,            20, __VA_ARGS__) \
    X(U32,   uint32_t, uint32_t, 0,            20, __VA_ARGS__) \
    X(U64,   uint64_t, uint64_t, 0,            20, __VA_ARGS__)
#define FLOAT_DTYPES(X, ...) \
    X(F16,   uint16_t, uint32_t, 11,           9,  __VA_ARGS__) \
    X(BF16,  uint16_t, uint32_t, 8,            6,  __VA_ARGS__) \
    X(F32,   float,    float,    FLT_MANT_DIG, 20, __VA_ARGS__) \
    X(F64,   double,   double,   DBL_MANT_DIG, 50, __VA_ARGS__)
#define UNSIGNED_PAIR_DTYPES(X, ...) \
    X(U32X2, uint32_t, uint32_t, 0,            20, __VA_ARGS__)
#define FLOAT_PAIR_DTYPES(X, ...) \
    X(F32X2, float,    float,    FLT_MANT_DIG, 20, __VA_ARGS__)
/* clang-format on */

/* The lists together. Operators are defined on any of these (op_table.h). */
#define INTEGER_DTYPES(X, ...)    \
    SIGNED_DTYPES(X, __VA_ARGS__) \
    UNSIGNED_DTYPES(X, __VA_ARGS__)
#define SCALAR_DTYPES(X, ...)      \
    INTEGER_DTYPES(X, __VA_ARGS__) \
    FLOAT_DTYPES(X, __VA_ARGS__)
#define PAIR_DTYPES(X, ...)              \
    UNSIGNED_PAIR_DTYPES(X, __VA_ARGS__) \
    FLOAT_PAIR_DTYPES(X, __VA_ARGS__)
#define ALL_DTYPES(X, ...)        \
    SCALAR_DTYPES(X, __VA_ARGS__) \
    PAIR_DTYPES(X, __VA_ARGS__)

#endif
