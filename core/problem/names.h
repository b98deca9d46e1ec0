/*
 * names.h - the words of the contract as text, both ways, and what may be a name
 */
#ifndef SCANBENCH_PROBLEM_NAMES_H
#define SCANBENCH_PROBLEM_NAMES_H

#include "problem/op.h"

/* The word for a value, or "?" for none. Static text. */
const char *dtype_name(uint32_t dtype);
const char *op_name(uint32_t op);
const char *kind_name(uint32_t kind);
const char *role_name(uint32_t role);
const char *status_text(scan_status status);

/* The value of a word, or -1. */
int dtype_find(const char *word);
int op_find(const char *word);
int kind_find(const char *word);
int role_find(const char *word);

/* Is it [a-z][a-z0-9_]* of at most `most` characters? No more than most + 1 are read. */
bool names_is_word(const char *text, size_t most);

#endif
