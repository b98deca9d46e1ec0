/*
 * option_table.h - the verbs, options and exit statuses as data: options.c parses by
 * it, and the help, the manual and the completions are printed from it, so that none
 * of them can say something else
 */
#ifndef SCANBENCH_CLI_OPTION_TABLE_H
#define SCANBENCH_CLI_OPTION_TABLE_H

#include "cli/options.h"

typedef enum option_type {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_WORD,    /* text: one of `words`, or, where the argument is a LIST, several */
    OPTION_SET,     /* NAME=LIST; may be repeated */
    OPTION_COUNT,   /* uint32_t > 0 */
    OPTION_U64,     /* bytes and seeds, with the suffixes of sizes */
    OPTION_SECONDS, /* double > 0 */
    OPTION_FORM,    /* a flag, or one of `words` after "=": --help */
} option_type;

typedef struct option_entry {
    const char *name;
    char letter; /* 0: none */
    option_type type;
    size_t offset; /* in options */
    int verbs;
    const char *argument; /* its name in the help, or NULL; FILE and LIST complete as such */
    const char *help;     /* further lines after a newline; {} stands for the words */
    const char *words;    /* that its values are made of, separated by spaces, or NULL */
    /* What else they are made of, for `list --words`, or NULL: "plugins,backends". The help
     * has them from option_words if they are fixed. */
    const char *asked;
} option_entry;

typedef struct verb_entry {
    const char *name;
    verb verb;
    const char *arguments;
    const char *help;
    bool takes_plugins; /* as its arguments */
} verb_entry;

typedef struct exit_entry {
    const char *status;
    const char *help;
} exit_entry;

enum {
    OPTIONS_MOST = 48,
    VERBS_MOST = 8,
    ALL_VERBS = VERB_RUN | VERB_LIST | VERB_VALIDATE | VERB_NEW
};

/* The kinds of words that `list --words` prints. */
#define ASK_PLUGINS "plugins"
#define ASK_BACKENDS "backends"
#define ASK_DEVICES "devices"
#define ASK_TUNABLES "tunables"
#define ASK_CLAIMS "claims"
#define ASK_TEMPLATES "templates" /* backends that `new` has templates for */
#define ASK_ROLES "roles"         /* and their roles */

extern const option_entry option_table[];
extern const size_t option_count; /* at most OPTIONS_MOST */
extern const verb_entry verb_table[];
extern const size_t verb_count; /* at most VERBS_MOST */
extern const exit_entry exit_table[];
extern const size_t exit_count;

/* The help of an option with its words in the place of {}. */
void option_entry_help(const option_entry *entry, const option_words *words, char *text,
                       size_t size);

#endif
