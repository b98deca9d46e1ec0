#include "problem/op.h"

#include "problem/op_table.h"

typedef struct op_info {
    uint64_t dtypes;
    op_result result;
    bool commutes;
} op_info;

enum { ORDERED, COMMUTES };
#define BIT_OF(name, ...) | SCAN_BIT(SCAN_DTYPE_##name)
#define INFO(name, dtypes, result, order, ...) \
    [SCAN_OP_##name] = {0 dtypes(BIT_OF, ), OP_##result, (order) == COMMUTES},
static const op_info ops[SCAN_OP_COUNT] = {OP_TABLE(INFO)};
#undef INFO
#undef BIT_OF

#define PLUS_ONE(...) +1
_Static_assert(0 OP_TABLE(PLUS_ONE) == SCAN_OP_COUNT, "op_table.h lacks an operator");
#undef PLUS_ONE

uint64_t op_dtypes(uint32_t op)
{
    return op < SCAN_OP_COUNT ? ops[op].dtypes : 0;
}

bool op_takes_dtype(uint32_t op, uint32_t dtype)
{
    return dtype < SCAN_DTYPE_COUNT && op_dtypes(op) & SCAN_BIT(dtype);
}

uint32_t op_first_on(uint32_t dtype)
{
    uint32_t op = 0;
    while (op + 1 < SCAN_OP_COUNT && !op_takes_dtype(op, dtype))
        op++;
    return op;
}

op_result op_gives(uint32_t op)
{
    return op < SCAN_OP_COUNT ? ops[op].result : OP_BITS;
}

bool op_selects(uint32_t op)
{
    return op_gives(op) == OP_GREATEST || op_gives(op) == OP_LEAST;
}

bool op_commutes(uint32_t op)
{
    return op < SCAN_OP_COUNT && ops[op].commutes;
}

bool op_rounds(uint32_t op, uint32_t dtype)
{
    return dtype_is_float(dtype) && op_gives(op) == OP_ADDS;
}
