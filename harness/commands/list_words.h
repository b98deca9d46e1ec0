/*
 * list_words.h - prints the words that options accept, one per line, for completions
 */
#ifndef SCANBENCH_COMMANDS_LIST_WORDS_H
#define SCANBENCH_COMMANDS_LIST_WORDS_H

#include "supervisor/session_set.h"

#include <stdio.h>

/*
 * kinds: a comma-separated list of the words of --words. Each line is a word, perhaps with a tab
 * and a description; each word is printed once. Only devices need probes; claims, templates and
 * roles need no plugin. SCAN_OK, or the status of session_set_open.
 */
scan_status list_words(const session_config *config, const char *kinds, FILE *out, errmsg *error);

#endif
