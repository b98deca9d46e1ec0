/*
 * complete.c - what may stand in the place of the last word of a command line, for the scripts of
 * the shells
 *
 * The first line is "HOW<tab>PREFIX": the part of the word that stays, and how what follows it is
 * completed, in words: "files" or "plugins" are completed by the shell, names of all files or of
 * those of plugins; the others are "words", items of a "list", or a "set" whose value follows. Each
 * other line is a word that may follow the prefix, or "WORD<tab>what it is".
 */
#include "cli/option_table.h"
#include "commands/verbs.h"
#include "supervisor/interrupt.h"

#include <stdlib.h>
#include <string.h>

/* The option of the verb that the word names, up to a "=", if it takes a value; else NULL. */
static const option_entry *option_of(const verb_entry *v, const char *word)
{
    char letter = '\0';
    if (word[0] == '-' && word[1] && !word[2])
        letter = word[1];
    const option_entry *o = strncmp(word, "--", 2) == 0 ? option_entry_find(v->verb, '\0', word + 2)
                                                        : option_entry_find(v->verb, letter, NULL);
    return o && o->argument && o->verbs & (int)v->verb ? o : NULL;
}

/* Prints the first part of a help text, which is enough beside a word: up to the words, a semicolon
 * or the end of the line. */
static void put_short(const char *help, FILE *out)
{
    size_t length = strcspn(help, "\n;{");
    while (length > 0 && strchr(" :,", help[length - 1]))
        length--;
    fprintf(out, "\t%.*s\n", (int)length, help);
}

/* Prints those lines that begin so. */
static void put_beginning(char *lines, const char *beginning, FILE *out)
{
    for (char *rest = lines, *line; rest && (line = strsep(&rest, "\n"));)
        if (*line && strncmp(line, beginning, strlen(beginning)) == 0)
            fprintf(out, "%s\n", line);
}

static void put_words(const char *words, FILE *out)
{
    for (const char *at = words; at && *(at += strspn(at, " ")); at += strcspn(at, " "))
        fprintf(out, "%.*s\n", (int)strcspn(at, " "), at);
}

/* Prints what the program knows, as `list --words` does; a device may take its time. */
static void put_asked(const char *kinds, FILE *out)
{
    char asked[64];
    char *const argv[] = {(char[]){"scanbench"}, (char[]){"list"},    (char[]){"--timeout"},
                          (char[]){"5"},         (char[]){"--words"}, asked};
    options o;
    errmsg ignored;
    snprintf(asked, sizeof asked, "%s", kinds);
    interrupt_catch(); /* a plugin that ends its worker does not end us, too */
    if (options_parse(sizeof argv / sizeof *argv, argv, &o, &ignored) == SCAN_OK)
        list_print_words(&o, out, &ignored);
}

/* The candidates, a line each. */
typedef struct candidates {
    char *lines;
    size_t bytes;
    FILE *out;
} candidates;

/* Prints how the item at the end of a word is completed, and the candidates for it, which are
 * freed. */
static void finish(candidates *c, const char *how, const char *word, const char *item, FILE *out)
{
    fprintf(out, "%s\t%.*s\n", how, (int)(item - word), word);
    if (c->out && fclose(c->out) == 0)
        put_beginning(c->lines, item, out);
    free(c->lines);
}

/* Completes the value of an option, which the word ends with. */
static void complete_value(const option_entry *o, const char *word, const char *value, FILE *out)
{
    candidates c = {.out = open_memstream(&c.lines, &c.bytes)};
    const bool asks_plugins = o->asked && strstr(o->asked, ASK_PLUGINS);
    const bool list = strcmp(o->argument, "LIST") == 0;
    const char *comma = list ? strrchr(value, ',') : NULL, *item = comma ? comma + 1 : value;
    item += list && asks_plugins && *item == '!'; /* which takes a plugin away */
    const bool file = strcmp(o->argument, "FILE") == 0 || strcmp(o->argument, "DIR") == 0;
    char how[32];
    snprintf(how, sizeof how, "%s%s%s", file ? "files " : "",
             asks_plugins && strchr(item, '/') ? "plugins " : "",
             list                    ? "list"
             : o->type == OPTION_SET ? "set"
                                     : "words");
    if (c.out)
        put_words(o->words, c.out);
    if (c.out && o->asked && (o->type != OPTION_SET || !strchr(value, '=')))
        put_asked(o->asked, c.out);
    finish(&c, how, word, item, out);
}

/* Completes the names of the options, of the verbs if the word may be one, or an argument. */
static void complete_name(const verb_entry *v, bool may_be_verb, const char *word, FILE *out)
{
    candidates c = {.out = open_memstream(&c.lines, &c.bytes)};
    const bool argument = !may_be_verb && *word != '-';
    const bool plugins = argument && v->takes == VERB_TAKES_PLUGINS;
    const bool files = argument && v->takes == VERB_TAKES_FILES;
    for (size_t i = 0; c.out && may_be_verb && i < verb_count; i++) {
        fputs(verb_table[i].name, c.out);
        put_short(verb_table[i].help, c.out);
    }
    for (size_t i = 0; c.out && !plugins && !files && i < option_count; i++)
        if (option_table[i].verbs & (int)v->verb) {
            fprintf(c.out, "--%s", option_table[i].name);
            put_short(option_table[i].help, c.out);
        }
    if (c.out && plugins)
        put_asked(ASK_PLUGINS, c.out);
    finish(&c, files ? "files" : plugins ? "plugins" : "words", word, word, out);
}

void complete_print(int count, char *const *words, FILE *out)
{
    const char *word = count > 0 ? words[count - 1] : "";
    const verb_entry *named = count > 1 ? verb_entry_find(words[0]) : NULL;
    const verb_entry *v = named ? named : verb_table; /* run is the default */
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const char *before = count > 1 ? words[count - 2] : "";
    const option_entry *o = equals                ? option_of(v, word)
                            : strchr(before, '=') ? NULL
                                                  : option_of(v, before);
    if (o)
        complete_value(o, word, equals ? equals + 1 : word, out);
    else
        complete_name(v, count <= 1, word, out);
}
