#include "cli/option_table.h"

#include "completion.bash.h"
#include "completion.fish.h"
#include "completion.zsh.h"
#include "manual.mdoc.h"
#include "text/fit.h"
#include "version.h"

#include <string.h>

/* ---- --help ---- */

/* Lines fit a terminal of 80 columns. */
enum { WIDTH = 79 };

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
    fit_print_behind(INDENT, help, INDENT, WIDTH, out);
}

static void print_exits(FILE *out)
{
    char text[512] = "Exit status:";
    size_t used = strlen(text);
    for (size_t i = 0; i < exit_count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s %s%s", exit_table[i].status,
                                 exit_table[i].help, i + 1 < exit_count ? "," : ".");
    fit_print(text, 0, 0, WIDTH, out);
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
    if (o->verb & (VERB_REPORT | VERB_COMPARE | VERB_SUBMIT))
        fputs("\nFiles are read by python3, 3.9 or later, which needs no other package.\n", out);
    fputs("\nPlugins are looked for in SCANBENCH_PLUGIN_PATH, beside the program, and where\n"
          "they are installed.\n\n",
          out);
    print_exits(out);
    fputs("  scanbench --plugins all --sizes 1e3..1e8 --csv out.csv\n", out);
}

/* ---- scanbench(1) in mdoc ---- */

/*
 * Writes text of the tables as short lines of mdoc in which nothing looks like a macro. mdoc reads
 * - as a hyphen, so the dashes of options are escaped.
 */
static void put_man_text(const char *text, FILE *out)
{
    enum { MAN_WIDTH = 72 };
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column && (column + length > MAN_WIDTH)) {
            fputc('\n', out);
            column = 0;
        }
        if (column)
            column += (size_t)fprintf(out, " ");
        else if (*text == '.' || *text == '\'')
            fputs("\\&", out);
        for (size_t i = 0; i < length; i++)
            if (text[i] == '\\')
                fputs("\\e", out);
            else if (text[i] == '-' && (i == 0 || text[i - 1] == '-'))
                fputs("\\-", out);
            else
                fputc(text[i], out);
        column += length;
        text += length + (text[length] != '\0');
    }
    fputc('\n', out);
}

static void put_man_synopsis(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = 0; i < verb_count; i++) {
        const verb_entry *v = &verb_table[i];
        fputs(".Nm\n", out);
        fprintf(out, v->verb == VERB_RUN ? ".Op Cm %s\n" : ".Cm %s\n", v->name);
        if (strncmp(v->arguments, " [", 2) == 0)
            fprintf(out, ".Op Ar %.*s\n", (int)strcspn(v->arguments + 2, "]"), v->arguments + 2);
        else if (*v->arguments)
            fprintf(out, ".Ar%s\n", v->arguments);
        fputs(".Op Ar options\n", out);
    }
}

static void put_man_verbs(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, ".It Cm %s\n", verb_table[i].name);
        put_man_text(verb_table[i].help, out);
    }
}

static void put_man_options(const option_words *words, FILE *out)
{
    for (size_t i = 0; i < option_count; i++) {
        const option_entry *o = &option_table[i];
        char help[1024];
        fputs(".It", out);
        if (o->letter && o->argument)
            fprintf(out, " Fl %c Ar %s ,", o->letter, o->argument);
        else if (o->letter)
            fprintf(out, " Fl %c ,", o->letter);
        fprintf(out, " Fl -%s", o->name);
        if (o->argument)
            fprintf(out, " Ar %s", o->argument);
        fputc('\n', out);
        if ((o->verbs & ALL_VERBS) != ALL_VERBS) {
            const char *before = "";
            fputc('(', out);
            for (size_t k = 0; k < verb_count; k++)
                if (o->verbs & (int)verb_table[k].verb) {
                    fprintf(out, "%s%s", before, verb_table[k].name);
                    before = ", ";
                }
            fputs(")\n", out);
        }
        option_entry_help(o, words, help, sizeof help);
        put_man_text(help, out);
    }
}

static void put_man_exits(const option_words *words, FILE *out)
{
    (void)words;
    for (size_t i = 0; i < exit_count; i++) {
        fprintf(out, ".It %s\n", exit_table[i].status);
        put_man_text(exit_table[i].help, out);
    }
}

static void put_version(const option_words *words, FILE *out)
{
    (void)words;
    fputs(SCANBENCH_VERSION, out);
}

/* Writes the manual with its parts, whose marks, as @VERBS@, are lines of their own. */
static void print_manual(const option_words *words, FILE *out)
{
    static const struct {
        const char *mark;
        void (*put)(const option_words *words, FILE *out);
    } parts[] = {{"@VERSION@", put_version},
                 {"@SYNOPSIS@\n", put_man_synopsis},
                 {"@VERBS@\n", put_man_verbs},
                 {"@OPTIONS@\n", put_man_options},
                 {"@EXITS@\n", put_man_exits}};
    enum { PARTS = sizeof parts / sizeof *parts };
    for (const char *text = manual_mdoc; *text;) {
        size_t i = 0;
        while (i < PARTS && strncmp(text, parts[i].mark, strlen(parts[i].mark)) != 0)
            i++;
        if (i < PARTS)
            parts[i].put(words, out);
        else
            fputc(*text, out);
        text += i < PARTS ? strlen(parts[i].mark) : 1;
    }
}

void options_print_help(const options *o, const option_words *words, FILE *out)
{
    switch (o->help) {
    case HELP_NONE:
    case HELP_TEXT:
        print_text(o, words, out);
        break;
    case HELP_MAN:
        print_manual(words, out);
        break;
    case HELP_BASH:
        fputs(completion_bash, out);
        break;
    case HELP_ZSH:
        fputs(completion_zsh, out);
        break;
    case HELP_FISH:
        fputs(completion_fish, out);
        break;
    case HELP_COLUMNS:
        words->print_columns(out);
        break;
    }
}
