/*
 * options.h - the command line, parsed by the table in option_table.h, from which its
 * help is printed too; in parts, so that a module is given the one it reads
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

/* Which plugins, on which devices and cores. */
typedef struct plugin_options {
    const char *list; /* --plugins; for validate, its arguments name them */
    const char *device, *pin, *require;
    double timeout_s;
} plugin_options;

/* The problems: every combination of these lists. */
typedef struct grid_options {
    const char *sizes, *types, *ops, *kinds; /* sizes: NULL for a proof that chooses its own */
    const char *block_sizes;
    const char *sets[OPTIONS_SETS]; /* NAME=LIST */
    size_t set_count;
    const char *pattern;
    uint64_t seed;
} grid_options;

/* How one configuration is measured. */
typedef struct measuring_options {
    double time_limit_s;
    uint32_t min_samples, max_samples;
    uint64_t mem_limit; /* bytes; 0: from the free memory */
} measuring_options;

/* Where the rows go, and the plugin their speedups are counted against. */
typedef struct output_options {
    const char *csv, *samples, *baseline;
    bool resume;
} output_options;

typedef struct proof_options {
    const char *claims, *json;
    uint64_t max_n;
} proof_options;

typedef struct options {
    const char *program; /* as it was called */
    verb verb;
    bool help, version, quiet, verbose, dry_run;
    help_form help_form;
    const char *color;
    plugin_options plugins;
    grid_options grid;
    measuring_options measuring;
    output_options output;
    proof_options proof;
    const char *words;                        /* of list: which words to print instead */
    const char *backend, *role;               /* of new */
    const char *arguments[OPTIONS_ARGUMENTS]; /* plugins or files, for validate; a name, for new */
    size_t argument_count;
} options;

/* Words that other parts of the program know, separated by spaces; main hands them in. */
typedef struct option_words {
    const char *claims;            /* of a proof */
    const char *templates, *roles; /* that `new` writes plugins for */
} option_words;

/* Reads the command line. SCAN_OK and *options_p, which points into argv; or SCAN_INVALID,
 * and `error` says what is wrong and suggests the nearest right word. */
scan_status options_parse(int argc, char *const *argv, options *options_p, errmsg *error);

/* --help: of one verb, or of the program where it has been given none; or the manual
 * or a shell's completions, which are of all verbs. */
void options_print_help(const options *o, const option_words *words, FILE *out);

#endif
