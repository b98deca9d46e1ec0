/*
 * names.h - the words of the contract as text, both ways, and what may be a name
 */
#ifndef SCANBENCH_PROBLEM_NAMES_H
#define SCANBENCH_PROBLEM_NAMES_H

#include "scan_plugin.h"

#include <stdbool.h>

/* The word for a value, or "?" for none. Static text. */
const char *dtype_name(uint32_t dtype);
const char *op_name(uint32_t op);
const char *kind_name(uint32_t kind);
const char *role_name(uint32_t role);
const char *status_text(scan_status status);

/* Bytes per element, 0 for an unknown dtype. */
size_t dtype_bytes(uint32_t dtype);
bool dtype_is_float(uint32_t dtype);
/* Is op defined on dtype: affine on the pairs, the others on the scalars? */
bool op_takes_dtype(uint32_t op, uint32_t dtype);

/* The value of a word, or -1. */
int dtype_find(const char *word);
int op_find(const char *word);
int kind_find(const char *word);
int role_find(const char *word);

/* Is it [a-z][a-z0-9_]* of at most `most` characters? No more than most + 1 are read. */
bool names_is_word(const char *text, size_t most);

#endif
