#include "cli/completion.h"

#include <string.h>

/* bash splits words at : and =, so the script joins the word to complete again, and leaves out of
 * the replies what bash already has. */
static const char beginning[] =
    "# bash completion for scanbench; printed by scanbench --help=bash\n"
    "_scanbench_ask() {\n"
    "    \"${COMP_WORDS[0]/#\\~\\//$HOME/}\" list --timeout " COMPLETION_TIMEOUT
    " --words \"$1\" 2>/dev/null | cut -f 1\n"
    "}\n"
    "_scanbench_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P \"$prefix\" \"$@\" -- \"$item\")\n"
    "}\n"
    "_scanbench() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) verb=${COMP_WORDS[1]}\n"
    "    local word=$cur option item prefix='' suffix='' words='' asked='' many='' candidate\n"
    "    local -a candidates\n"
    "    COMPREPLY=()\n"
    "    while ((at > 0)) && [[ $word == :* || ${COMP_WORDS[at]} == : ]]; do\n"
    "        word=${COMP_WORDS[at]}$word\n"
    "        ((at--))\n"
    "    done\n"
    "    option=${COMP_WORDS[at]}\n"
    "    if [[ $word == = ]]; then\n"
    "        word=''\n"
    "        [[ $option == -* ]] || return\n"
    "    elif [[ $option == = ]]; then\n"
    "        option=${COMP_WORDS[at - 1]}\n"
    "        [[ $option == -* ]] || return\n"
    "    fi\n"
    "    [[ $cur == [:=] ]] && cur=''\n"
    "    item=$word\n"
    "    case $verb:$option in\n";

static const char end[] =
    "    if [[ -n $many ]]; then\n"
    "        item=${word##*,}\n"
    "        prefix=${word%\"$item\"}\n"
    "        if [[ $asked == " ASK_PLUGINS " && $item == !* ]]; then\n"
    "            prefix+=! item=${item:1}\n"
    "        fi\n"
    "    fi\n"
    "    [[ -z $asked ]] || words+=\" $(_scanbench_ask \"$asked\")\"\n"
    "    read -r -d '' -a candidates <<<\"$words\"\n"
    "    for candidate in \"${candidates[@]}\"; do\n"
    "        [[ $candidate == \"$item\"* ]] && COMPREPLY+=(\"$prefix$candidate$suffix\")\n"
    "    done\n"
    "    if [[ $asked == " ASK_PLUGINS " && ($option != -* || $item == */*) ]]; then\n"
    "        _scanbench_files -f -X '!*.so'\n"
    "        _scanbench_files -d\n"
    "    fi\n"
    "    [[ -z $suffix ]] || compopt -o nospace 2>/dev/null\n"
    "    word=${word%\"$cur\"}\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#\"$word\"}\")\n"
    "}\n"
    "complete -F _scanbench scanbench\n";

/* Does an option of other commands have its name or its letter? */
static bool is_shared(const option_entry *entry)
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
static bool names_verbs(const option_entry *entry)
{
    return is_shared(entry) && !(entry->verbs & VERB_RUN);
}

static void put_pattern(const option_entry *entry, const char *verb_word, const char *before,
                        FILE *out)
{
    fprintf(out, "%s%s:--%s", before, verb_word, entry->name);
    if (entry->letter)
        fprintf(out, " | %s:-%c", verb_word, entry->letter);
}

/* Writes the case of an option, which says where its values come from. */
static void put_values(const option_entry *entry, FILE *out)
{
    const char *before = "    ";
    for (size_t i = 0; i < verb_count && names_verbs(entry); i++)
        if (completion_has_verb(entry, &verb_table[i])) {
            put_pattern(entry, verb_table[i].name, before, out);
            before = " | ";
        }
    if (!names_verbs(entry))
        put_pattern(entry, "*", before, out);
    fputc(')', out);
    if (completion_takes_file(entry))
        fputs(" _scanbench_files -f; return ;;\n", out);
    else if (!entry->words && !entry->asked)
        fputs(" return ;;\n", out);
    else
        fprintf(out, " words='%s' asked='%s' many='%s' suffix='%s' ;;\n",
                entry->words ? entry->words : "", entry->asked ? entry->asked : "",
                completion_takes_list(entry) ? "1" : "", entry->type == OPTION_SET ? "=" : "");
}

/* Writes the case without an option: the names of options, or the verb's arguments. */
static void put_verb(const verb_entry *v, FILE *out)
{
    fprintf(out, "        %s)\n            words='", v->verb == VERB_RUN ? "*" : v->name);
    for (size_t k = 0; k < option_count; k++)
        if (completion_has_verb(&option_table[k], v))
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

void completion_print_bash(FILE *out)
{
    fputs(beginning, out);
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < option_count; i++)
            if (option_table[i].argument && names_verbs(&option_table[i]) == (last == 0))
                put_values(&option_table[i], out);
    fputs("    *)\n        case $verb in\n", out);
    for (size_t i = verb_count; i-- > 0;) /* run last: it is the default */
        put_verb(&verb_table[i], out);
    fputs("        esac\n        ((COMP_CWORD > 1)) || words+='", out);
    for (size_t i = 0; i < verb_count; i++)
        fprintf(out, "%s ", verb_table[i].name);
    fputs("'\n        ;;\n    esac\n", out);
    fputs(end, out);
}
