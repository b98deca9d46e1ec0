/*
 * row_key.h - what rows of one configuration have in common, as a text to look them up by
 */
#ifndef SCANBENCH_RESULTS_ROW_KEY_H
#define SCANBENCH_RESULTS_ROW_KEY_H

#include "results/result_file.h"

/* The last key, whose memory the next one uses. Begin with a zeroed one; the caller frees `text`.
 */
typedef struct row_key {
    char *text;
    size_t bytes;
} row_key;

/* The key of the row's plugin, problem, setting and caches, not of its device and phase; `more` is
 * a part of it. Valid until the next call; NULL without memory. */
const char *row_key_make(row_key *key, const result_row *row, const char *more);

#endif
