/*
 * declared.h - what a plugin's tables of operators and of results say
 */
#ifndef SCANBENCH_PROBLEM_DECLARED_H
#define SCANBENCH_PROBLEM_DECLARED_H

#include "scan_plugin.h"

#include <stdbool.h>

/* The dtypes, as bits, that ops[0 ... SCAN_MAX_OP_ENTRIES-1] declare for an operator in a
 * kind; 0: none. */
uint64_t declared_dtypes(const scan_op_entry *ops, uint32_t op, uint32_t kind);

/* Is this combination declared? */
bool declared(const scan_op_entry *ops, uint32_t op, uint32_t kind, uint32_t dtype);

/* The dtypes, as bits, that results[0 ... SCAN_MAX_RESULT_ENTRIES-1] declare for results of an
 * input of `dtype`, its own not among them; 0: none. */
uint64_t declared_results(const scan_result_entry *results, uint32_t dtype);

#endif
