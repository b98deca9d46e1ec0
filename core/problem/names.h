/*
 * names.h - the words of the contract's values; says what may be a name
 */
#ifndef SCANBENCH_PROBLEM_NAMES_H
#define SCANBENCH_PROBLEM_NAMES_H

#include "problem/op.h"

/* The word of a value, or "?" if it is unknown. Static text. */
const char *dtype_name(uint32_t dtype);
const char *op_name(uint32_t op);
const char *kind_name(uint32_t kind);
const char *role_name(uint32_t role);
const char *layout_name(uint32_t layout); /* a scan_layout */
const char *status_text(scan_status status);

/* Is it [a-z][a-z0-9_]* of at most `most` characters? Reads at most most + 1 characters. */
bool names_is_word(const char *text, size_t most);

#endif
