/*
 * comma_list.h - the words of a comma-separated list, and lists of words for people
 */
#ifndef SCANBENCH_TEXT_COMMA_LIST_H
#define SCANBENCH_TEXT_COMMA_LIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies the next word of *list_p into word[0 ... size-1], cut if it is longer, and moves
 * *list_p past the word and its comma. Words may be empty, but no word follows a comma at
 * the end. false at the end of the list, or if *list_p is NULL; `word` is then not
 * written.
 */
bool comma_list_next(const char **list_p, char *word, size_t size);

/* Writes the words with `comma` between them, and `last` before the last one: "a, b or c". Returns
 * `text`. */
const char *words_join(const char *const *words, size_t count, const char *comma, const char *last,
                       char *text, size_t size);

#endif
