/*
 * list_words.h - the words that options are made of, one a line, as completions ask for
 * them
 */
#ifndef SCANBENCH_COMMANDS_LIST_WORDS_H
#define SCANBENCH_COMMANDS_LIST_WORDS_H

#include "supervisor/session_set.h"

#include <stdio.h>

/*
 * kinds: a comma-separated list of the words of --words. Each line is a word and, where
 * there is more to say, a tab and what it is; no word comes twice. Only for devices are
 * there workers that look at one; claims and templates need no plugin. SCAN_OK, or as
 * session_set_open.
 */
scan_status list_words(const session_config *config, const char *kinds, FILE *out, errmsg *error);

#endif
