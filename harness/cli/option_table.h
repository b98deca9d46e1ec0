/*
 * option_table.h - the verbs, options and exit statuses as data: options.c parses by
 * it, and the help, the manual and the completions are printed from it, so that none
 * of them can say something else
 */
#ifndef SCANBENCH_CLI_OPTION_TABLE_H
#define SCANBENCH_CLI_OPTION_TABLE_H

#include "cli/options.h"

#define OPTION_ENUMERATOR(type, c_type) OPTION_##type,
typedef enum option_type { OPTION_TYPE_MAP(OPTION_ENUMERATOR) } option_type;
#undef OPTION_ENUMERATOR

/* A line of option_map.h. */
typedef struct option_entry {
    const char *name;
    char letter; /* 0: none */
    option_type type;
    size_t offset; /* in options */
    int verbs;
    const char *argument, *help, *words, *asked; /* NULL: none */
} option_entry;

typedef struct verb_entry {
    const char *name;
    verb verb;
    const char *arguments;
    const char *help;
    enum { VERB_TAKES_WORDS, VERB_TAKES_PLUGINS, VERB_TAKES_FILES } takes; /* as its arguments */
} verb_entry;

typedef struct exit_entry {
    const char *status;
    const char *help;
} exit_entry;

enum {
    OPTIONS_MOST = 64,
    VERBS_MOST = 8,
    ALL_VERBS = VERB_RUN | VERB_LIST | VERB_VALIDATE | VERB_NEW | VERB_COMPARE | VERB_TUNE |
                VERB_REPORT | VERB_SUBMIT
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

/* The option of that name (NULL: with that letter), which ends there or with "="; or NULL. Two
 * options of different commands may share it: that of this command is meant. */
const option_entry *option_entry_find(verb v, char letter, const char *name);
/* The command of that name, or NULL. */
const verb_entry *verb_entry_find(const char *name);

/* The help of an option with its words in the place of {}. */
void option_entry_help(const option_entry *entry, const option_words *words, char *text,
                       size_t size);

#endif
