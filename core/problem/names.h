/*
 * names.h - the words of the contract as text, both ways, what may be a name, and the
 * nearest word to a misspelt one
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

/* The entry of names[0 ... count-1] closest to `word` by edit distance, or NULL
 * where none is close enough to suggest. */
const char *nearest_name(const char *word, const char *const *names, size_t count);

/* That entry as the end of a message about `word`: "; did you mean x?", or "" where there
 * is none. Written into text[0 ... size-1], which is returned. */
enum { NAMES_SUGGESTION_BYTES = 288 }; /* enough for the name of any file */
const char *names_suggest(const char *word, const char *const *names, size_t count, char *text,
                          size_t size);

#endif
