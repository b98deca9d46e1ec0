/*
 * shell_quote.h - quotes the words of a command that people may copy into a shell
 */
#ifndef SCANBENCH_TEXT_SHELL_QUOTE_H
#define SCANBENCH_TEXT_SHELL_QUOTE_H

#include <stdio.h>

/* Writes `word` so that a POSIX shell takes it as one word: in single quotes unless it is
 * plain. */
void shell_quote_put(FILE *out, const char *word);

#endif
