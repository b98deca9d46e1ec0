#include "cli/completion.h"

#include "cli/option_table.h"

#include <string.h>

/* Do its values name files? */
static bool takes_file(const option *known)
{
    return known->argument && strcmp(known->argument, "FILE") == 0;
}

static bool takes_list(const option *known)
{
    return known->argument && strcmp(known->argument, "LIST") == 0;
}

/* The names of verbs that do (or do not) have an option, with `between` between them. */
static void put_verbs(const option *known, bool having, const char *between, FILE *out)
{
    const char *before = "";
    for (size_t i = 0; i < verb_count; i++) {
        bool has = (known->verbs & (int)verb_table[i].verb) != 0;
        if (has != having)
            continue;
        fprintf(out, "%s%s", before, verb_table[i].name);
        before = between;
    }
}

/* The first line of a help text up to a semicolon, which is enough beside an option;
 * each character of `special` behind `escape`. */
static void put_short(const char *help, const char *special, const char *escape, FILE *out)
{
    for (const char *c = help; *c && *c != '\n' && *c != ';'; c++) {
        if (c[1] == '\n' && *c == ',')
            break;
        if (*c == '\'') { /* these stand in single quotes in every shell */
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *c))
            fputs(escape, out);
        fputc(*c, out);
    }
}

/* The kind of file that the arguments of a verb name, "so" or "csv", or NULL. */
static const char *argument_suffix(const verb_entry *v)
{
    if (strstr(v->arguments, ".so"))
        return "so";
    return strstr(v->arguments, ".csv") ? "csv" : NULL;
}

/* ---- bash ---------------------------------------------------------------- */

static void put_bash_values(const option *known, FILE *out)
{
    fprintf(out, "    --%s", known->name);
    if (known->letter)
        fprintf(out, " | -%c", known->letter);
    fputs(") ", out);
    if (takes_file(known))
        fputs("mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n", out);
    else if (!known->words)
        fputs("return ;;\n", out);
    else if (takes_list(known))
        fprintf(out,
                "[[ $cur == *,* ]] && prefix=${cur%%,*},\n"
                "        words='%s' ;;\n",
                known->words);
    else
        fprintf(out, "words='%s' ;;\n", known->words);
}

void completion_print_bash(FILE *out)
{
    fputs("# bash completion for scanbench; printed by scanbench --help=bash\n"
          "_scanbench() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local verb=${COMP_WORDS[1]} words='' prefix=''\n"
          "    COMPREPLY=()\n"
          "    [[ $cur == = ]] && cur=''\n"
          "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    case $prev in\n",
          out);
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].argument)
            put_bash_values(&option_table[i], out);
    fputs("    esac\n"
          "    if [[ -z $words ]]; then\n"
          "        case $verb in\n",
          out);
    for (size_t i = verb_count; i-- > 0;) { /* run last: it is the default */
        fprintf(out, "        %s)\n            words='",
                verb_table[i].verb == VERB_RUN ? "*" : verb_table[i].name);
        for (size_t k = 0; k < option_count; k++)
            if (option_table[k].verbs & (int)verb_table[i].verb)
                fprintf(out, "--%s ", option_table[k].name);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n        ((COMP_CWORD == 1)) && words+='", out);
    for (size_t i = 0; i < verb_count; i++)
        fprintf(out, "%s ", verb_table[i].name);
    fputs("'\n", out);
    for (size_t i = 0; i < verb_count; i++)
        if (argument_suffix(&verb_table[i]))
            fprintf(out,
                    "        ((COMP_CWORD > 1)) && [[ $verb == %s && $cur != -* ]] && words='' &&\n"
                    "            mapfile -t COMPREPLY < <(compgen -f -X '!*.%s' -- \"$cur\"; "
                    "compgen -d -- \"$cur\")\n",
                    verb_table[i].name, argument_suffix(&verb_table[i]));
    fputs("    fi\n"
          "    [[ -z $words ]] ||\n"
          "        mapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$words\" -- "
          "\"${cur##*,}\")\n"
          "}\n"
          "complete -o filenames -F _scanbench scanbench\n",
          out);
}

/* ---- zsh ----------------------------------------------------------------- */

static void put_zsh_option(const option *known, FILE *out)
{
    bool many = known->type == OPTION_SET;
    const char *value = known->argument ? "=" : "";
    fputs("        ", out);
    if (known->letter && !many)
        fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'", known->letter, known->name, known->letter,
                known->name, value);
    else if (known->letter)
        fprintf(out, "'*'{-%c,--%s%s}'", known->letter, known->name, value);
    else
        fprintf(out, "'--%s%s", known->name, value);
    fputc('[', out);
    put_short(known->help, "[]:\\", "\\", out);
    fputc(']', out);
    if (takes_file(known))
        fputs(":FILE:_files", out);
    else if (known->words && known->argument)
        fprintf(out, takes_list(known) ? ":%s:_sequence compadd - %s" : ":%s:(%s)", known->argument,
                known->words);
    else if (known->argument)
        fprintf(out, ":%s: ", known->argument);
    fputs("'\n", out);
}

void completion_print_zsh(FILE *out)
{
    fputs("#compdef scanbench\n"
          "# printed by scanbench --help=zsh\n"
          "_scanbench() {\n"
          "    local verb=run\n"
          "    local -a verbs arguments\n"
          "    verbs=(\n",
          out);
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, "        '%s:", verb_table[i].name);
        put_short(verb_table[i].help, "", "", out);
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
          "        _describe command verbs\n"
          "        return\n"
          "    fi\n"
          "    if [[ $words[2] != -* ]]; then\n"
          "        verb=$words[2]\n"
          "        shift words\n"
          "        ((CURRENT--))\n"
          "    fi\n",
          out);
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, "    [[ $verb == %s ]] && arguments=(\n", verb_table[i].name);
        for (size_t k = 0; k < option_count; k++)
            if (option_table[k].verbs & (int)verb_table[i].verb)
                put_zsh_option(&option_table[k], out);
        if (argument_suffix(&verb_table[i]))
            fprintf(out, "        '*:file:_files -g \"*.%s\"'\n", argument_suffix(&verb_table[i]));
        fputs("    )\n", out);
    }
    fputs("    _arguments $arguments\n}\n_scanbench \"$@\"\n", out);
}

/* ---- fish ---------------------------------------------------------------- */

static void put_fish_option(const option *known, FILE *out)
{
    fputs("complete -c scanbench -n '", out);
    if ((known->verbs & ALL_VERBS) == ALL_VERBS)
        fputs("true", out);
    else if (known->verbs & VERB_RUN) {
        fputs("not __fish_seen_subcommand_from ", out);
        put_verbs(known, false, " ", out);
    } else {
        fputs("__fish_seen_subcommand_from ", out);
        put_verbs(known, true, " ", out);
    }
    fputs("' ", out);
    if (known->letter)
        fprintf(out, "-s %c ", known->letter);
    fprintf(out, "-l %s ", known->name);
    if (takes_file(known))
        fputs("-r -F ", out);
    else if (known->argument)
        fputs("-x ", out);
    if (known->words && known->argument)
        fprintf(out, takes_list(known) ? "-a '(__fish_append , %s)' " : "-a '%s' ", known->words);
    fputs("-d '", out);
    put_short(known->help, "\\", "\\", out);
    fputs("'\n", out);
}

void completion_print_fish(FILE *out)
{
    fputs("# fish completion for scanbench; printed by scanbench --help=fish\n"
          "complete -c scanbench -f\n",
          out);
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, "complete -c scanbench -n __fish_use_subcommand -a %s -d '",
                verb_table[i].name);
        put_short(verb_table[i].help, "\\", "\\", out);
        fputs("'\n", out);
    }
    for (size_t i = 0; i < option_count; i++)
        put_fish_option(&option_table[i], out);
    for (size_t i = 0; i < verb_count; i++)
        if (argument_suffix(&verb_table[i]))
            fprintf(out,
                    "complete -c scanbench -n '__fish_seen_subcommand_from %s' "
                    "-a '(__fish_complete_suffix .%s)'\n",
                    verb_table[i].name, argument_suffix(&verb_table[i]));
}
