/*
 * options.h - the command line, parsed by the table in option_table.h, from which its
 * help is printed too; in parts, so that a module is given the one it reads
 */
#ifndef SCANBENCH_CLI_OPTIONS_H
#define SCANBENCH_CLI_OPTIONS_H

#include "cli/option_map.h"
#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum verb {
    VERB_RUN = 1,
    VERB_LIST = 2,
    VERB_VALIDATE = 4,
    VERB_NEW = 8,
    VERB_COMPARE = 16,
    VERB_TUNE = 32,
    VERB_REPORT = 64,
    VERB_SUBMIT = 128
} verb;

/* What --help prints: itself, or what is generated from the same table. */
typedef enum help_form {
    HELP_NONE,
    HELP_TEXT,
    HELP_MAN,
    HELP_BASH,
    HELP_ZSH,
    HELP_FISH,
    HELP_COLUMNS
} help_form;

enum { OPTIONS_SETS = 16, OPTIONS_ARGUMENTS = 256 };

/* What --set gathers. */
typedef struct option_sets {
    const char *items[OPTIONS_SETS]; /* NAME=LIST */
    size_t count;
} option_sets;

#define OPTION_TYPEDEF(type, c_type) typedef c_type OPTION_##type##_VALUE;
OPTION_TYPE_MAP(OPTION_TYPEDEF)
#undef OPTION_TYPEDEF

/* Their members are in option_map.h, one a line. */
#define OPTION_MEMBER(name, letter, type, member, ...) OPTION_##type##_VALUE member;
typedef struct plugin_options {
    PLUGIN_OPTION_MAP(OPTION_MEMBER)
} plugin_options;

typedef struct grid_options {
    GRID_OPTION_MAP(OPTION_MEMBER)
} grid_options;

typedef struct measuring_options {
    MEASURING_OPTION_MAP(OPTION_MEMBER)
} measuring_options;

typedef struct output_options {
    OUTPUT_OPTION_MAP(OPTION_MEMBER)
} output_options;

typedef struct proof_options {
    PROOF_OPTION_MAP(OPTION_MEMBER)
} proof_options;

typedef struct compare_options {
    COMPARE_OPTION_MAP(OPTION_MEMBER)
} compare_options;

typedef struct report_options {
    REPORT_OPTION_MAP(OPTION_MEMBER)
} report_options;

typedef struct submit_options {
    SUBMIT_OPTION_MAP(OPTION_MEMBER)
} submit_options;

typedef struct options {
    const char *program; /* as it was called */
    verb verb;
    plugin_options plugins;
    grid_options grid;
    measuring_options measuring;
    output_options output;
    proof_options proof;
    compare_options compare;
    report_options report;
    submit_options submit;
    NEW_OPTION_MAP(OPTION_MEMBER)
    DISPLAY_OPTION_MAP(OPTION_MEMBER)
    const char *arguments[OPTIONS_ARGUMENTS]; /* plugins or files, for validate; a name, for new;
 files, for compare, report and submit */
    size_t argument_count;
    const char *measures; /* compare: an option that was given and means nothing without --in-run */
} options;
#undef OPTION_MEMBER

/* What other parts of the program know, words separated by spaces; main hands it in. */
typedef struct option_words {
    const char *claims;            /* of a proof */
    const char *templates, *roles; /* that `new` writes plugins for */
    void (*print_columns)(FILE *); /* those of the CSV, as Markdown */
} option_words;

/* Reads the command line. SCAN_OK and *options_p, which points into argv; or SCAN_INVALID,
 * and `error` says what is wrong and suggests the nearest right word. */
scan_status options_parse(int argc, char *const *argv, options *options_p, errmsg *error);

/* --help: of one verb, or of the program where it has been given none; or the manual
 * or a shell's completions, which are of all verbs. */
void options_print_help(const options *o, const option_words *words, FILE *out);

#endif
