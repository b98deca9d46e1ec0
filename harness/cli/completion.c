#include "cli/completion.h"

#include "cli/help.h"
#include "completion.bash.h"
#include "completion.zsh.h"

#include <string.h>

/* ---- what the shells share ---- */

/* Are the option's values names of files? */
static bool takes_file(const option_entry *entry)
{
    return entry->argument && strcmp(entry->argument, "FILE") == 0;
}

static bool takes_list(const option_entry *entry)
{
    return entry->argument && strcmp(entry->argument, "LIST") == 0;
}

static bool has_verb(const option_entry *entry, const verb_entry *v)
{
    return (entry->verbs & (int)v->verb) != 0;
}

/* Up to the words, a semicolon or the end of the line. */
static size_t short_length(const char *help)
{
    size_t length = 0;
    while (help[length] && !strchr("\n;{", help[length]))
        length++;
    while (length > 0 && strchr(" :,", help[length - 1]))
        length--;
    return length;
}

/* Writes the first part of a help text, which is enough beside an option, for use in single quotes.
 * A backslash precedes each character of `special`. */
static void put_short(const char *help, const char *special, FILE *out)
{
    const size_t length = short_length(help);
    for (const char *c = help; c < help + length; c++) {
        if (*c == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *c))
            fputc('\\', out);
        fputc(*c, out);
    }
}

/* ---- bash ---- */

/* Does an option of other commands have its name or its letter? */
static bool bash_is_shared(const option_entry *entry)
{
    bool shared = false;
    for (size_t i = 0; i < option_count; i++) {
        const option_entry *other = &option_table[i];
        shared |= other != entry && (strcmp(other->name, entry->name) == 0 ||
                                     (entry->letter && other->letter == entry->letter));
    }
    return shared;
}

/* Must its case name the commands? Not that of run, which is the default and comes last. */
static bool bash_names_verbs(const option_entry *entry)
{
    return bash_is_shared(entry) && !(entry->verbs & VERB_RUN);
}

static void put_bash_pattern(const option_entry *entry, const char *verb_word, const char *before,
                             FILE *out)
{
    fprintf(out, "%s%s:--%s", before, verb_word, entry->name);
    if (entry->letter)
        fprintf(out, " | %s:-%c", verb_word, entry->letter);
}

/* Writes the case of an option, which says where its values come from. */
static void put_bash_values(const option_entry *entry, FILE *out)
{
    const char *before = "    ";
    for (size_t i = 0; i < verb_count && bash_names_verbs(entry); i++)
        if (has_verb(entry, &verb_table[i])) {
            put_bash_pattern(entry, verb_table[i].name, before, out);
            before = " | ";
        }
    if (!bash_names_verbs(entry))
        put_bash_pattern(entry, "*", before, out);
    fputc(')', out);
    if (takes_file(entry))
        fputs(" _scanbench_files -f; return ;;\n", out);
    else if (!entry->words && !entry->asked)
        fputs(" return ;;\n", out);
    else
        fprintf(out, " words='%s' asked='%s' many='%s' suffix='%s' ;;\n",
                entry->words ? entry->words : "", entry->asked ? entry->asked : "",
                takes_list(entry) ? "1" : "", entry->type == OPTION_SET ? "=" : "");
}

/* Writes the case without an option: the names of options, or the verb's arguments. */
static void put_bash_verb(const verb_entry *v, FILE *out)
{
    fprintf(out, "        %s)\n            words='", v->verb == VERB_RUN ? "*" : v->name);
    for (size_t k = 0; k < option_count; k++)
        if (has_verb(&option_table[k], v))
            fprintf(out, "--%s ", option_table[k].name);
    fputs("'\n", out);
    if (v->takes == VERB_TAKES_PLUGINS)
        fputs("            if ((COMP_CWORD > 1)) && [[ $word != -* ]]; then\n"
              "                words='' asked=" ASK_PLUGINS " option=''\n"
              "            fi\n",
              out);
    if (v->takes == VERB_TAKES_FILES)
        fputs("            if ((COMP_CWORD > 1)) && [[ $word != -* ]]; then\n"
              "                _scanbench_files -f\n"
              "                return\n"
              "            fi\n",
              out);
    fputs("            ;;\n", out);
}

/* Those whose cases name the commands come first. */
static void put_bash_cases(const option_words *words, FILE *out)
{
    (void)words;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < option_count; i++)
            if (option_table[i].argument && bash_names_verbs(&option_table[i]) == (last == 0))
                put_bash_values(&option_table[i], out);
}

static void put_bash_verbs(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = verb_count; i-- > 0;) /* run last: it is the default */
        put_bash_verb(&verb_table[i], out);
}

static void put_bash_names(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = 0; i < verb_count; i++)
        fprintf(out, "%s ", verb_table[i].name);
}

void completion_print_bash(FILE *out)
{
    static const help_part parts[] = {{"VALUES", put_bash_cases},
                                      {"VERBS", put_bash_verbs},
                                      {"NAMES", put_bash_names},
                                      {NULL, NULL}};
    help_fill(completion_bash, parts, NULL, out);
}

/* ---- zsh ---- */

/* Writes where the values of an option come from. The leading space makes _arguments call the
 * function without adding arguments. */
static void put_zsh_values(const option_entry *entry, FILE *out)
{
    fprintf(out, ":%s:", entry->argument);
    if (takes_file(entry)) {
        fputs("_files", out);
    } else if (entry->words || entry->asked) {
        fprintf(out, " %s_scanbench_words \"%s\" \"%s\"%s", takes_list(entry) ? "_sequence " : "",
                entry->words ? entry->words : "", entry->asked ? entry->asked : "",
                entry->type == OPTION_SET ? " -S \"=\"" : "");
    } else {
        fputc(' ', out);
    }
}

static void put_zsh_option(const option_entry *entry, FILE *out)
{
    const bool many = entry->type == OPTION_SET;
    const char *value = entry->argument ? "=" : "";
    fputs("        ", out);
    if (entry->letter && !many)
        fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'", entry->letter, entry->name, entry->letter,
                entry->name, value);
    else if (entry->letter)
        fprintf(out, "'*'{-%c,--%s%s}'", entry->letter, entry->name, value);
    else
        fprintf(out, "'--%s%s", entry->name, value);
    fputc('[', out);
    put_short(entry->help, "[]:\\", out);
    fputc(']', out);
    if (entry->argument)
        put_zsh_values(entry, out);
    fputs("'\n", out);
}

static void put_zsh_verb(const verb_entry *v, FILE *out)
{
    fprintf(out, "    [[ $verb == %s ]] && arguments=(\n", v->name);
    for (size_t k = 0; k < option_count; k++)
        if (has_verb(&option_table[k], v))
            put_zsh_option(&option_table[k], out);
    if (v->takes == VERB_TAKES_PLUGINS)
        fputs("        '*:PLUGIN: _scanbench_plugins'\n", out);
    if (v->takes == VERB_TAKES_FILES)
        fputs("        '*:FILE:_files'\n", out);
    fputs("    )\n", out);
}

static void put_zsh_names(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, "        '%s:", verb_table[i].name);
        put_short(verb_table[i].help, "", out);
        fputs("'\n", out);
    }
}

static void put_zsh_verbs(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = 0; i < verb_count; i++)
        put_zsh_verb(&verb_table[i], out);
}

void completion_print_zsh(FILE *out)
{
    static const help_part parts[] = {
        {"NAMES", put_zsh_names}, {"VERBS", put_zsh_verbs}, {NULL, NULL}};
    help_fill(completion_zsh, parts, NULL, out);
}

/* ---- fish ---- */

static const char fish_beginning[] =
    "# fish completion for scanbench; printed by scanbench --help=fish\n"
    "function __scanbench_ask\n"
    "    set -l program (string replace -r '^~/' \"$HOME/\" (commandline -opc)[1])\n"
    "    $program list --timeout 5 --words $argv 2>/dev/null\n"
    "end\n"
    "complete -c scanbench -f\n";

/* Writes the names of the verbs that have (or do not have) an option. */
static void put_fish_verbs(const option_entry *entry, bool having, FILE *out)
{
    const char *before = "";
    for (size_t i = 0; i < verb_count; i++) {
        if (has_verb(entry, &verb_table[i]) != having)
            continue;
        fprintf(out, "%s%s", before, verb_table[i].name);
        before = " ";
    }
}

/* Writes the condition under which the option is offered. Without a verb, the options of run are
 * offered. */
static void put_fish_condition(const option_entry *entry, FILE *out)
{
    if ((entry->verbs & ALL_VERBS) == ALL_VERBS) {
        fputs("true", out);
    } else if (entry->verbs & VERB_RUN) {
        fputs("not __fish_seen_subcommand_from ", out);
        put_fish_verbs(entry, false, out);
    } else {
        fputs("__fish_seen_subcommand_from ", out);
        put_fish_verbs(entry, true, out);
    }
}

static void put_fish_values(const option_entry *entry, FILE *out)
{
    const char *words = entry->words ? entry->words : "";
    const char *asked = entry->asked ? entry->asked : "";
    if (entry->type == OPTION_SET)
        fprintf(out, "-a '(__scanbench_ask %s | string replace -r \"^[^\\t]*\" \"\\$0=\")' ",
                asked);
    else if (takes_list(entry) && entry->asked)
        fprintf(out, "-a '(__fish_append , %s (__scanbench_ask %s))' ", words, asked);
    else if (takes_list(entry))
        fprintf(out, "-a '(__fish_append , %s)' ", words);
    else if (entry->asked)
        fprintf(out, "-a '%s (__scanbench_ask %s)' ", words, asked);
    else
        fprintf(out, "-a '%s' ", words);
}

static void put_fish_option(const option_entry *entry, FILE *out)
{
    fputs("complete -c scanbench -n '", out);
    put_fish_condition(entry, out);
    fputs("' ", out);
    if (entry->letter)
        fprintf(out, "-s %c ", entry->letter);
    fprintf(out, "-l %s ", entry->name);
    if (takes_file(entry))
        fputs("-r -F ", out);
    else if (entry->argument)
        fputs("-x ", out);
    if (entry->argument && (entry->words || entry->asked))
        put_fish_values(entry, out);
    fputs("-d '", out);
    put_short(entry->help, "\\", out);
    fputs("'\n", out);
}

void completion_print_fish(FILE *out)
{
    fputs(fish_beginning, out);
    for (size_t i = 0; i < verb_count; i++) {
        const verb_entry *v = &verb_table[i];
        fprintf(out, "complete -c scanbench -n __fish_use_subcommand -a %s -d '", v->name);
        put_short(v->help, "\\", out);
        fputs("'\n", out);
        if (v->takes == VERB_TAKES_PLUGINS)
            fprintf(out,
                    "complete -c scanbench -n '__fish_seen_subcommand_from %s' "
                    "-a '(__scanbench_ask " ASK_PLUGINS "; __fish_complete_suffix .so)'\n",
                    v->name);
        if (v->takes == VERB_TAKES_FILES)
            fprintf(out, "complete -c scanbench -n '__fish_seen_subcommand_from %s' -F\n", v->name);
    }
    for (size_t i = 0; i < option_count; i++)
        put_fish_option(&option_table[i], out);
}
