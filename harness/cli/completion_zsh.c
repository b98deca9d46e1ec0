#include "cli/completion.h"

static const char beginning[] =
    "#compdef scanbench\n"
    "# printed by scanbench --help=zsh\n"
    "# _scanbench_words WORDS ASKED OPTIONS...: WORDS, and what the program says to ASKED\n"
    "_scanbench_words() {\n"
    "    local asked=$2\n"
    "    local -a found shown\n"
    "    [[ -z $asked ]] ||\n"
    "        found=(${(f)\"$(${~${(Q)program}} list --timeout " COMPLETION_TIMEOUT
    " --words $asked 2>/dev/null)\"})\n"
    "    shown=(${=1} ${found/$'\\t'/ -- })\n"
    "    found=(${=1} ${found%%$'\\t'*})\n"
    "    shift 2\n"
    "    if [[ $asked == " ASK_PLUGINS " ]]; then\n"
    "        compset -P '!'\n"
    "        [[ $PREFIX == */* ]] && _files -g '*.so'\n"
    "    fi\n"
    "    compadd \"$@\" -l -d shown -a found\n"
    "}\n"
    "_scanbench_plugins() {\n"
    "    _scanbench_words '' " ASK_PLUGINS "\n"
    "    _files -g '*.so'\n"
    "}\n"
    "_scanbench() {\n"
    "    local verb=run program=$words[1]\n"
    "    local -a verbs arguments\n"
    "    verbs=(\n";

static const char choose_verb[] = "    )\n"
                                  "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
                                  "        _describe command verbs\n"
                                  "        return\n"
                                  "    fi\n"
                                  "    if [[ $words[2] != -* ]]; then\n"
                                  "        verb=$words[2]\n"
                                  "        shift words\n"
                                  "        ((CURRENT--))\n"
                                  "    fi\n";

/* Writes where the values of an option come from. The leading space makes _arguments call the
 * function without adding arguments. */
static void put_values(const option_entry *entry, FILE *out)
{
    fprintf(out, ":%s:", entry->argument);
    if (completion_takes_file(entry)) {
        fputs("_files", out);
    } else if (entry->words || entry->asked) {
        fprintf(out, " %s_scanbench_words \"%s\" \"%s\"%s",
                completion_takes_list(entry) ? "_sequence " : "", entry->words ? entry->words : "",
                entry->asked ? entry->asked : "", entry->type == OPTION_SET ? " -S \"=\"" : "");
    } else {
        fputc(' ', out);
    }
}

static void put_option(const option_entry *entry, FILE *out)
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
    completion_put_short(entry->help, "[]:\\", out);
    fputc(']', out);
    if (entry->argument)
        put_values(entry, out);
    fputs("'\n", out);
}

static void put_verb(const verb_entry *v, FILE *out)
{
    fprintf(out, "    [[ $verb == %s ]] && arguments=(\n", v->name);
    for (size_t k = 0; k < option_count; k++)
        if (completion_has_verb(&option_table[k], v))
            put_option(&option_table[k], out);
    if (v->takes == VERB_TAKES_PLUGINS)
        fputs("        '*:PLUGIN: _scanbench_plugins'\n", out);
    if (v->takes == VERB_TAKES_FILES)
        fputs("        '*:FILE:_files'\n", out);
    fputs("    )\n", out);
}

void completion_print_zsh(FILE *out)
{
    fputs(beginning, out);
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, "        '%s:", verb_table[i].name);
        completion_put_short(verb_table[i].help, "", out);
        fputs("'\n", out);
    }
    fputs(choose_verb, out);
    for (size_t i = 0; i < verb_count; i++)
        put_verb(&verb_table[i], out);
    fputs("    _arguments -s $arguments\n}\n_scanbench \"$@\"\n", out);
}
