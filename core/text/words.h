/*
 * words.h - splits a command into words as a shell does, but for what a shell expands
 */
#ifndef SCANBENCH_TEXT_WORDS_H
#define SCANBENCH_TEXT_WORDS_H

#include "text/errmsg.h"

#include <stddef.h>

enum { WORDS_MOST = 256 };

/* The words of `text`, which is changed and holds them: separated by blanks, unless quoted by ' or
 * " or a backslash. SCAN_INVALID and the reason: there are none, or too many, or a quote is open.
 */
scan_status words_split(char *text, char *words[WORDS_MOST], size_t *count_p, errmsg *error);

#endif
