#include "cli/option_table.h"

#include "exit_status.h"

#include <stddef.h>
#include <string.h>

/* The lines of a group, whose struct is a member of the options. */
#define ENTRY(name, letter, type, member, verbs, value, argument, help, words, asked) \
    {name, letter, OPTION_##type, offsetof(options, member), verbs, argument, help, words, asked},
#define IN_PLUGINS(name, letter, type, member, ...) \
    ENTRY(name, letter, type, plugins.member, __VA_ARGS__)
#define IN_GRID(name, letter, type, member, ...) ENTRY(name, letter, type, grid.member, __VA_ARGS__)
#define IN_MEASURING(name, letter, type, member, ...) \
    ENTRY(name, letter, type, measuring.member, __VA_ARGS__)
#define IN_OUTPUT(name, letter, type, member, ...) \
    ENTRY(name, letter, type, output.member, __VA_ARGS__)
#define IN_PROOF(name, letter, type, member, ...) \
    ENTRY(name, letter, type, proof.member, __VA_ARGS__)

#define IN_COMPARE(name, letter, type, member, ...) \
    ENTRY(name, letter, type, compare.member, __VA_ARGS__)
#define IN_REPORT(name, letter, type, member, ...) \
    ENTRY(name, letter, type, report.member, __VA_ARGS__)
#define IN_SUBMIT(name, letter, type, member, ...) \
    ENTRY(name, letter, type, submit.member, __VA_ARGS__)

/* clang-format off */
const option_entry option_table[] = {
    PLUGIN_OPTION_MAP(IN_PLUGINS)
    GRID_OPTION_MAP(IN_GRID)
    MEASURING_OPTION_MAP(IN_MEASURING)
    OUTPUT_OPTION_MAP(IN_OUTPUT)
    PROOF_OPTION_MAP(IN_PROOF)
    COMPARE_OPTION_MAP(IN_COMPARE)
    REPORT_OPTION_MAP(IN_REPORT)
    SUBMIT_OPTION_MAP(IN_SUBMIT)
    NEW_OPTION_MAP(ENTRY)
    DISPLAY_OPTION_MAP(ENTRY)
};
/* clang-format on */
const size_t option_count = sizeof option_table / sizeof *option_table;
_Static_assert(sizeof option_table / sizeof *option_table <= OPTIONS_MOST, "OPTIONS_MOST");

const verb_entry verb_table[] = {
    {"run", VERB_RUN, "", "measure the plugins, check every result, write CSV (the default)",
     VERB_TAKES_WORDS},
    {"list", VERB_LIST, "", "plugins, their devices, why some are unavailable; the machine",
     VERB_TAKES_WORDS},
    {"validate", VERB_VALIDATE, " [PLUGIN|FILE.so|FOLDER ...]",
     "prove that plugins are right, as TAP", VERB_TAKES_PLUGINS},
    {"tune", VERB_TUNE, " PLUGIN ...", "find the best setting of plugins' tunables, by racing",
     VERB_TAKES_PLUGINS},
    {"compare", VERB_COMPARE, " OLD.csv NEW.csv ... | --in-run OLD NEW",
     "did times change? Compare the first file with each other one", VERB_TAKES_FILES},
    {"report", VERB_REPORT, " FILE.csv ... | --history DIR",
     "who wins where and by how much: in the terminal, as Markdown, as a page", VERB_TAKES_FILES},
    {"submit", VERB_SUBMIT, " FILE.csv",
     "check a run, and make one file of it to hand in, without private names", VERB_TAKES_FILES},
    {"new", VERB_NEW, " NAME", "write a complete plugin to start from", VERB_TAKES_WORDS},
};
const size_t verb_count = sizeof verb_table / sizeof *verb_table;
_Static_assert(sizeof verb_table / sizeof *verb_table <= VERBS_MOST, "VERBS_MOST");

#define EXIT_ENTRY(name, value, meaning) {#value, meaning},
const exit_entry exit_table[] = {
    EXIT_STATUS_MAP(EXIT_ENTRY){EXIT_INTERRUPTED_WORD, EXIT_INTERRUPTED_MEANING},
};
const size_t exit_count = sizeof exit_table / sizeof *exit_table;

const option_entry *option_entry_find(verb v, char letter, const char *name)
{
    const option_entry *found = NULL;
    const size_t length = name ? strcspn(name, "=") : 0;
    for (size_t i = 0; i < option_count; i++) {
        const option_entry *o = &option_table[i];
        const bool named = name ? strlen(o->name) == length && !strncmp(o->name, name, length)
                                : letter && o->letter == letter;
        if (named && (!found || (o->verbs & (int)v)))
            found = o;
    }
    return found;
}

const verb_entry *verb_entry_find(const char *name)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(name, verb_table[i].name) == 0)
            return &verb_table[i];
    return NULL;
}

/* The words that {} stands for: fixed ones, or those that main handed in. */
static const char *words_of(const option_entry *entry, const option_words *words)
{
    const char *asked = entry->asked ? entry->asked : "";
    const char *found = strcmp(asked, ASK_CLAIMS) == 0      ? words->claims
                        : strcmp(asked, ASK_TEMPLATES) == 0 ? words->templates
                        : strcmp(asked, ASK_ROLES) == 0     ? words->roles
                                                            : entry->words;
    return found ? found : "";
}

void option_entry_help(const option_entry *entry, const option_words *words, char *text,
                       size_t size)
{
    const char *place = strstr(entry->help, "{}");
    if (!place) {
        snprintf(text, size, "%s", entry->help);
        return;
    }
    const char *found = words_of(entry, words);
    size_t length = strlen(found);
    while (length > 0 && found[length - 1] == ' ')
        length--;
    snprintf(text, size, "%.*s%.*s%s", (int)(place - entry->help), entry->help, (int)length, found,
             place + 2);
}
