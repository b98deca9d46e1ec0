#include "cli/completion.h"

static const char beginning[] =
    "# fish completion for scanbench; printed by scanbench --help=fish\n"
    "function __scanbench_ask\n"
    "    set -l program (string replace -r '^~/' \"$HOME/\" (commandline -opc)[1])\n"
    "    $program list --timeout " COMPLETION_TIMEOUT " --words $argv 2>/dev/null\n"
    "end\n"
    "complete -c scanbench -f\n";

/* Writes the names of the verbs that have (or do not have) an option. */
static void put_verbs(const option_entry *entry, bool having, FILE *out)
{
    const char *before = "";
    for (size_t i = 0; i < verb_count; i++) {
        if (completion_has_verb(entry, &verb_table[i]) != having)
            continue;
        fprintf(out, "%s%s", before, verb_table[i].name);
        before = " ";
    }
}

/* Writes the condition under which the option is offered. Without a verb, the options of run are
 * offered. */
static void put_condition(const option_entry *entry, FILE *out)
{
    if ((entry->verbs & ALL_VERBS) == ALL_VERBS) {
        fputs("true", out);
    } else if (entry->verbs & VERB_RUN) {
        fputs("not __fish_seen_subcommand_from ", out);
        put_verbs(entry, false, out);
    } else {
        fputs("__fish_seen_subcommand_from ", out);
        put_verbs(entry, true, out);
    }
}

static void put_values(const option_entry *entry, FILE *out)
{
    const char *words = entry->words ? entry->words : "";
    const char *asked = entry->asked ? entry->asked : "";
    if (entry->type == OPTION_SET)
        fprintf(out, "-a '(__scanbench_ask %s | string replace -r \"^[^\\t]*\" \"\\$0=\")' ",
                asked);
    else if (completion_takes_list(entry) && entry->asked)
        fprintf(out, "-a '(__fish_append , %s (__scanbench_ask %s))' ", words, asked);
    else if (completion_takes_list(entry))
        fprintf(out, "-a '(__fish_append , %s)' ", words);
    else if (entry->asked)
        fprintf(out, "-a '%s (__scanbench_ask %s)' ", words, asked);
    else
        fprintf(out, "-a '%s' ", words);
}

static void put_option(const option_entry *entry, FILE *out)
{
    fputs("complete -c scanbench -n '", out);
    put_condition(entry, out);
    fputs("' ", out);
    if (entry->letter)
        fprintf(out, "-s %c ", entry->letter);
    fprintf(out, "-l %s ", entry->name);
    if (completion_takes_file(entry))
        fputs("-r -F ", out);
    else if (entry->argument)
        fputs("-x ", out);
    if (entry->argument && (entry->words || entry->asked))
        put_values(entry, out);
    fputs("-d '", out);
    completion_put_short(entry->help, "\\", out);
    fputs("'\n", out);
}

void completion_print_fish(FILE *out)
{
    fputs(beginning, out);
    for (size_t i = 0; i < verb_count; i++) {
        const verb_entry *v = &verb_table[i];
        fprintf(out, "complete -c scanbench -n __fish_use_subcommand -a %s -d '", v->name);
        completion_put_short(v->help, "\\", out);
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
        put_option(&option_table[i], out);
}
