/*
 * op_scan.c - the arithmetic of op_table.h, compiled for each dtype on which it is defined
 */
#include "problem/op_scan.h"

#include "problem/component.h"
#include "problem/op_table.h"

#include <string.h>

typedef struct op_on_dtype {
    void (*identity)(any_element *identity_p);
    void (*scan)(op_scan *scan, const void *in, void *out, size_t count);
    void (*across)(bool inclusive, any_element *carries, const void *in, void *out, size_t count);
} op_on_dtype;

/* What the expressions of the table may use. T, W and E, the element, are local types, and TYPE a
 * dtype_info. */
#define REAL(x) half_value(TYPE, (uint16_t)(x))
#define LESS(x, y) (component_is_half(TYPE) ? REAL(x) < REAL(y) : (x) < (y))
#define ADD(x, y) \
    ((T)(component_is_half(TYPE) ? half_of(TYPE, REAL(x) + REAL(y)) : (W)(x) + (W)(y)))
#define MUL(x, y) ((T)((W)(x) * (W)(y)))
#define PAIR(first, second) ((E){(first), (second)})
#define TYPES(name, component, sum_type, digits, exact)                             \
    typedef component T __attribute__((unused));                                    \
    typedef sum_type W __attribute__((unused));                                     \
    typedef name##_element E;                                                       \
    const dtype_info TYPE = DTYPE_INFO(name, component, sum_type, digits, exact, ); \
    (void)TYPE;

/* The value of a float of 16 bits, and the word for a value that is rounded to one. */
FOR_EACH_DTYPE double half_value(dtype_info type, uint16_t word)
{
    return component_real(type, &word, 0);
}

FOR_EACH_DTYPE uint16_t half_of(dtype_info type, double value)
{
    uint16_t word;
    component_set(type, &word, 0, 0, value);
    return word;
}

#define ON_DTYPE(name, component, sum_type, digits, exact, op, identity, combined)         \
    static void identity_##op##_##name(any_element *identity_p)                            \
    {                                                                                      \
        TYPES(name, component, sum_type, digits, exact)                                    \
        const E LEAST = element_end(SCAN_DTYPE_##name, false).name;                        \
        const E GREATEST = element_end(SCAN_DTYPE_##name, true).name;                      \
        (void)LEAST, (void)GREATEST;                                                       \
        identity_p->name = (identity);                                                     \
    }                                                                                      \
    static void scan_##op##_##name(op_scan *scan, const void *in, void *out, size_t count) \
    {                                                                                      \
        TYPES(name, component, sum_type, digits, exact)                                    \
        const E *x = in;                                                                   \
        E *y = out;                                                                        \
        E l = scan->carry.name;                                                            \
        const bool inclusive = scan->inclusive;                                            \
        for (size_t i = 0; i < count; i++) {                                               \
            const E r = x[i], next = (combined);                                           \
            y[i] = inclusive ? next : l;                                                   \
            l = next;                                                                      \
        }                                                                                  \
        scan->carry.name = l;                                                              \
    }                                                                                      \
    static void across_##op##_##name(bool inclusive, any_element *carries, const void *in, \
                                     void *out, size_t count)                              \
    {                                                                                      \
        TYPES(name, component, sum_type, digits, exact)                                    \
        const E *x = in;                                                                   \
        E *y = out;                                                                        \
        for (size_t i = 0; i < count; i++) {                                               \
            const E l = carries[i].name, r = x[i], next = (combined);                      \
            y[i] = inclusive ? next : l;                                                   \
            carries[i].name = next;                                                        \
        }                                                                                  \
    }
#define DEFINE(op, dtypes, result, order, identity, combined) \
    dtypes(ON_DTYPE, op, identity, combined)
OP_TABLE(DEFINE)

#define ENTRY(name, component, sum_type, digits, exact, op, ...)                     \
    [SCAN_OP_##op][SCAN_DTYPE_##name] = {identity_##op##_##name, scan_##op##_##name, \
                                         across_##op##_##name},
#define ENTRIES(op, dtypes, ...) dtypes(ENTRY, op, )
static const op_on_dtype on_dtypes[SCAN_OP_COUNT][SCAN_DTYPE_COUNT] = {OP_TABLE(ENTRIES)};

any_element op_identity(uint32_t op, uint32_t dtype)
{
    any_element identity;
    memset(&identity, 0, sizeof identity);
    if (op < SCAN_OP_COUNT && dtype < SCAN_DTYPE_COUNT && on_dtypes[op][dtype].identity)
        on_dtypes[op][dtype].identity(&identity);
    return identity;
}

void op_scan_next(op_scan *scan, const void *in, void *out, size_t count)
{
    on_dtypes[scan->op][scan->dtype].scan(scan, in, out, count);
}

void op_scan_across(const op_scan *scan, any_element *carries, const void *in, void *out,
                    size_t count)
{
    on_dtypes[scan->op][scan->dtype].across(scan->inclusive, carries, in, out, count);
}
