/*
 * verbs.h - the commands of the program. Each returns the program's exit status.
 */
#ifndef SCANBENCH_COMMANDS_VERBS_H
#define SCANBENCH_COMMANDS_VERBS_H

#include "cli/options.h"

#include <stddef.h>
#include <stdio.h>

/* argv: the command line, for the metadata beside the CSV. */
int run_main(const options *o, char *const *argv);
int tune_main(const options *o, char *const *argv);
int list_main(const options *o);
int validate_main(const options *o);
int compare_main(const options *o);
int compare_in_run(const options *o); /* compare --in-run */
int report_main(const options *o);
int submit_main(const options *o);
int new_main(const options *o);

/* What list --words asks for. SCAN_OK; or why not, in `error`. */
scan_status list_print_words(const options *o, FILE *out, errmsg *error);

/* Completes the last of the words behind the program's name: complete.c says how. */
void complete_print(int count, char *const *words, FILE *out);

/* For --help: the names of all claims, separated by spaces, in `text`, which is returned; and the
 * columns of the CSV as Markdown. */
enum { VALIDATE_WORDS_BYTES = 512 };
const char *validate_claim_words(char *text, size_t size);
void run_print_columns(FILE *out);

#endif
