#include "problem/declared.h"

uint64_t declared_dtypes(const scan_op_entry *ops, uint32_t op, uint32_t kind)
{
    uint64_t dtypes = 0;
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++)
        if (ops[i].op == op && ops[i].kinds & SCAN_BIT(kind))
            dtypes |= ops[i].dtypes;
    return dtypes;
}

bool declared(const scan_op_entry *ops, uint32_t op, uint32_t kind, uint32_t dtype)
{
    return dtype < SCAN_DTYPE_COUNT && (declared_dtypes(ops, op, kind) & SCAN_BIT(dtype)) != 0;
}

uint64_t declared_results(const scan_result_entry *results, uint32_t dtype)
{
    uint64_t found = 0;
    for (int i = 0; i < SCAN_MAX_RESULT_ENTRIES; i++)
        if (dtype < SCAN_DTYPE_COUNT && results[i].dtypes & SCAN_BIT(dtype))
            found |= results[i].results;
    return found;
}
