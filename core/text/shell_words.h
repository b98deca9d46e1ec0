/*
 * shell_words.h - splits a command into words as a shell does, but for what a shell expands
 */
#ifndef SCANBENCH_TEXT_SHELL_WORDS_H
#define SCANBENCH_TEXT_SHELL_WORDS_H

#include "text/errmsg.h"

#include <stddef.h>

enum { SHELL_WORDS_MOST = 256 };

/* The words of `text`, which is changed and holds them: separated by blanks, unless quoted by ' or
 * " or a backslash. SCAN_INVALID and the reason: there are none, or too many, or a quote is open.
 */
scan_status shell_words_split(char *text, char *words[SHELL_WORDS_MOST], size_t *count_p,
                              errmsg *error);

#endif
