/*
 * suggest.h - the nearest right word to a misspelt one
 */
#ifndef SCANBENCH_TEXT_SUGGEST_H
#define SCANBENCH_TEXT_SUGGEST_H

#include <stddef.h>

/* The entry of words[0 ... count-1] closest to `word` by edit distance, or NULL
 * where none is close enough to suggest. */
const char *suggest_nearest(const char *word, const char *const *words, size_t count);

/* That entry as the end of a message about `word`: "; did you mean x?", or "" where there
 * is none. Written into text[0 ... size-1], which is returned. */
enum { SUGGEST_BYTES = 288 }; /* enough for the name of any file */
const char *suggest_text(const char *word, const char *const *words, size_t count, char *text,
                         size_t size);

#endif
