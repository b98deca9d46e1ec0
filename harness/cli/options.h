/*
 * options.h - the command line, parsed by the table in options_table.h, from which
 * its help is printed too
 */
#ifndef SCANBENCH_CLI_OPTIONS_H
#define SCANBENCH_CLI_OPTIONS_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum verb { VERB_RUN = 1, VERB_LIST = 2, VERB_VALIDATE = 4, VERB_NEW = 8 } verb;

/* What --help prints: itself, or what is generated from the same table. */
typedef enum help_form { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH } help_form;

/* What holds where the command line does not say. */
#define OPTIONS_TIMEOUT_S 60.0
enum { OPTIONS_SEED = 1, OPTIONS_MAX_N = 2 << 20 };

enum { OPTIONS_SETS = 16, OPTIONS_ARGUMENTS = 256 };

typedef struct options {
    const char *program; /* as it was called */
    verb verb;
    /* as given; defaults in options.c */
    const char *plugins, *sizes, *block_sizes, *types, *ops, *kinds, *device, *pin, *baseline;
    const char *csv, *samples, *json, *require, *color, *pattern, *claims, *backend, *role;
    const char *sets[OPTIONS_SETS]; /* NAME=LIST */
    size_t set_count;
    uint64_t seed;
    uint64_t mem_limit; /* 0: from the free memory */
    uint64_t max_n;     /* of a proof */
    double timeout_s, time_limit_s;
    uint32_t min_samples, max_samples;
    bool resume, dry_run, quiet, verbose, help, version;
    help_form help_form;
    const char *arguments[OPTIONS_ARGUMENTS]; /* plugins or files, for validate; a name, for new */
    size_t argument_count;
} options;

/* Reads the command line. SCAN_OK and *options_p, which points into argv; or
 * SCAN_INVALID and in `message` what is wrong and the nearest right word. */
scan_status options_parse(int argc, char *const *argv, options *options_p, errmsg *error);

/* --help: of one verb, or of the program where it has been given none; or the manual
 * or a shell's completions, which are of all verbs. */
void options_print_help(const options *o, FILE *out);

#endif
