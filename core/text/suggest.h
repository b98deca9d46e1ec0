/*
 * suggest.h - the known word nearest to a misspelt one
 */
#ifndef SCANBENCH_TEXT_SUGGEST_H
#define SCANBENCH_TEXT_SUGGEST_H

#include <stddef.h>

/* The entry of words[0 ... count-1] closest to `word` by edit distance, or NULL if none is close
 * enough. */
const char *suggest_nearest(const char *word, const char *const *words, size_t count);

/* The end of a message about `word`: "; did you mean x?", or "" if no entry is close enough.
 * Written into text[0 ... size-1], which is returned. */
enum { SUGGEST_BYTES = 288 }; /* enough for the name of any file */
const char *suggest_text(const char *word, const char *const *words, size_t count, char *text,
                         size_t size);

/* The same where the words are few: if none is close enough, "; write one of" and all of them. */
const char *suggest_among(const char *word, const char *const *words, size_t count, char *text,
                          size_t size);

#endif
