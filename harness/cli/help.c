#include "cli/completion.h"
#include "cli/man_page.h"
#include "cli/option_table.h"

#include <string.h>

/* Prints the words of a text in lines that fit a terminal of 80 columns. The first line continues
 * one that has `indent` columns, and the others are indented as far. */
static void print_words(const char *text, int indent, FILE *out)
{
    enum { WIDTH = 79 };
    const size_t begin = (size_t)indent;
    size_t column = begin;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, " \n");
        if (column > begin && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = begin;
        }
        column += (size_t)fprintf(out, "%s%.*s", column > begin ? " " : "", (int)length, at);
        at += length + (at[length] != '\0');
    }
    fputc('\n', out);
}

static void print_option(const option_entry *known, const option_words *words, FILE *out)
{
    enum { INDENT = 29 };
    char left[48], help[1024];
    char letter[8] = "    ";
    if (known->letter)
        snprintf(letter, sizeof letter, "-%c, ", known->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, known->name, known->argument ? " " : "",
             known->argument ? known->argument : "");
    fprintf(out, "  %-26s ", left);
    option_entry_help(known, words, help, sizeof help);
    print_words(help, INDENT, out);
}

static void print_exits(FILE *out)
{
    char text[512] = "Exit status:";
    size_t used = strlen(text);
    for (size_t i = 0; i < exit_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s %s%s", exit_table[i].status,
                                 exit_table[i].help, i + 1 < exit_count ? "," : ".");
    print_words(text, 0, out);
    fputc('\n', out);
}

static void print_text(const options *o, const option_words *words, FILE *out)
{
    const char *name = "";
    fprintf(out, "scanbench compares prefix-scan algorithms.\n\n");
    for (size_t i = 0; i < verb_count; i++) {
        const verb_entry *v = &verb_table[i];
        fprintf(out, "  scanbench %s%s [options]\n      %s\n", v->name, v->arguments, v->help);
        if (v->verb == o->verb)
            name = v->name;
    }
    fprintf(out, "\nOptions of %s\n", name);
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].verbs & (int)o->verb)
            print_option(&option_table[i], words, out);
    fputs("\nPlugins are looked for in SCANBENCH_PLUGIN_PATH, beside the program, and where\n"
          "they are installed.\n\n",
          out);
    print_exits(out);
    fputs("  scanbench --plugins all --sizes 1e3..1e8 --csv out.csv\n", out);
}

void options_print_help(const options *o, const option_words *words, FILE *out)
{
    switch (o->help) {
    case HELP_NONE:
    case HELP_TEXT:
        print_text(o, words, out);
        break;
    case HELP_MAN:
        manual_print(words, out);
        break;
    case HELP_BASH:
        completion_print_bash(out);
        break;
    case HELP_ZSH:
        completion_print_zsh(out);
        break;
    case HELP_FISH:
        completion_print_fish(out);
        break;
    case HELP_COLUMNS:
        words->print_columns(out);
        break;
    }
}
