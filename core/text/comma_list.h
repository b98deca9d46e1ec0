/*
 * list_words.h - the words of a comma-separated list
 */
#ifndef SCANBENCH_TEXT_COMMA_LIST_H
#define SCANBENCH_TEXT_COMMA_LIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes the next word off *list_p, which is moved behind it and its comma, into
 * word[0 ... size-1], cut where it is longer. Words may be empty, but a comma at the end
 * has none behind it. false at the end of the list, or where *list_p is NULL; `word` is
 * then not written.
 */
bool comma_list_next(const char **list_p, char *word, size_t size);

#endif
