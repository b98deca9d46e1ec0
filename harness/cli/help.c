#include "cli/completion.h"
#include "cli/option_table.h"
#include "version.h"

#include <string.h>

/* ---- --help ---- */

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
    if (o->verb & (VERB_REPORT | VERB_COMPARE))
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
    enum { WIDTH = 72 };
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column && (column + length > WIDTH)) {
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

static void put_man_synopsis(FILE *out)
{
    fputs(".Sh SYNOPSIS\n", out);
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

static void put_man_verbs(FILE *out)
{
    fputs("The commands are:\n.Bl -tag -width validate\n", out);
    for (size_t i = 0; i < verb_count; i++) {
        fprintf(out, ".It Cm %s\n", verb_table[i].name);
        put_man_text(verb_table[i].help, out);
    }
    fputs(".El\n", out);
}

static void put_man_options(const option_words *words, FILE *out)
{
    fputs(".Sh OPTIONS\n"
          "The value of an option is the next argument, or follows a\n"
          ".Sq = ,\n"
          "or a letter directly.\n"
          "Letters without a value may be combined, as in\n"
          ".Fl qv .\n"
          "Names may not be abbreviated, options may follow other arguments, and\n"
          ".Fl -\n"
          "ends them.\n"
          "Where not all commands take an option, those that do are named.\n"
          ".Bl -tag -width Ds\n",
          out);
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
    fputs(".El\n", out);
}

static void put_man_exits(FILE *out)
{
    fputs(".Sh EXIT STATUS\n.Bl -tag -width 129/130/143\n", out);
    for (size_t i = 0; i < exit_count; i++) {
        fprintf(out, ".It %s\n", exit_table[i].status);
        put_man_text(exit_table[i].help, out);
    }
    fputs(".El\n", out);
}

static const char man_description[] =
    ".Sh DESCRIPTION\n"
    ".Nm\n"
    "measures prefix scans on CPUs, OpenCL devices and CUDA GPUs.\n"
    "Each algorithm is a plugin, a shared object.\n"
    "Plugins run in worker processes; one that crashes or hangs costs one row of\n"
    "the result.\n"
    "Every output is compared with a reference in full, before and after it is\n"
    "timed.\n"
    ".Pp\n";

static const char man_ranges[] =
    ".Sh RANGES\n"
    "A\n"
    ".Ar RANGE\n"
    "is a comma-separated list of exact numbers\n"
    ".Pq 1000, 1e6, 2^20, 64Ki, 1.5M\n"
    "and of ranges that hold both their ends:\n"
    ".Bl -tag -width 1000..5000+1000\n"
    ".It 1e3..1e8\n"
    "sizes: one point a decade; block sizes: doubling; other tunables: every\n"
    "integer\n"
    ".It 1e6..1e9/4\n"
    "four points a decade\n"
    ".It 32..1024*2\n"
    "each point twice the last\n"
    ".It 1000..5000+1000\n"
    "each point 1000 more\n"
    ".It 2^10..2^28\n"
    "powers of the common base\n"
    ".El\n"
    ".Pp\n"
    "The suffixes k, M, G count in thousands, Ki, Mi, Gi in 1024s.\n";

static const char man_output[] =
    ".Sh OUTPUT\n"
    "One CSV row per configuration and phase, to the file of\n"
    ".Fl -csv\n"
    "or to the standard output; progress and messages go to the standard error.\n"
    "On a terminal, without\n"
    ".Fl -csv ,\n"
    "the closing table takes the place of the rows.\n"
    "It is sorted by time within a size, and marks the fastest (*), those tied with\n"
    "it (=: the interval of the ratio of their times, made within rounds, holds 1),\n"
    "ceilings (^) and times that missed their precision (~).\n"
    "Configurations of one size, type, operator and kind are sampled together, in\n"
    "rounds of random order, and their rows are written when they are finished.\n"
    "The interval of a median says what other rounds of this run would show;\n"
    "another run may differ by more.\n"
    "Compare plugins by the ratios of one run, which are made within rounds.\n"
    "The phases are\n"
    ".Cm run\n"
    "(the scan, by the host's clock),\n"
    ".Cm device\n"
    "and\n"
    ".Cm kernel:NAME\n"
    "(by the device's clock),\n"
    ".Cm h2d\n"
    "and\n"
    ".Cm d2h\n"
    "(the copies),\n"
    ".Cm e2e\n"
    "(copies and scan) and\n"
    ".Cm create .\n"
    "Bandwidths count each element once in and once out, whatever an algorithm\n"
    "moves;\n"
    ".Cm pct_copy\n"
    "compares them with a measured copy of the same bytes on the same device,\n"
    ".Cm speedup\n"
    "compares times with the baseline's.\n"
    "A row whose status is not ok says why, and its numbers are empty.\n";

static const char man_surroundings[] =
    ".Sh ENVIRONMENT\n"
    ".Bl -tag -width Ds\n"
    ".It Ev SCANBENCH_PLUGIN_PATH\n"
    "files and directories, separated by colons, searched for plugins before the\n"
    "usual places.\n"
    "Of two plugins with one id the first found wins.\n"
    ".It Ev NO_COLOR\n"
    "if set and not empty, nothing is coloured unless\n"
    ".Fl -color\n"
    "says so\n"
    ".El\n"
    ".Sh FILES\n"
    ".Bl -tag -width Ds\n"
    ".It Pa plugins/*.so\n"
    "beside the program, then\n"
    ".It Pa ../lib/scanbench/plugins/*.so\n"
    "from there: where plugins are\n"
    ".It Pa ../lib/scanbench/python/\n"
    "from the program: the Python package that\n"
    ".Cm report ,\n"
    ".Cm compare\n"
    "of files and\n"
    ".Fl -page\n"
    "start, with python3 3.9 or later; scripts can import it\n"
    ".It Pa FILE-metadata.json\n"
    "beside the\n"
    ".Ar FILE\n"
    "of\n"
    ".Fl -csv :\n"
    "the columns with types, units and meanings, the machine, the command line,\n"
    "and the plugins with their files' hashes, as CSVW of the W3C\n"
    ".It Pa ../share/doc/scanbench/\n"
    "from the program: the guide to writing plugins, what each CSV column means,\n"
    "and a plugin to copy\n"
    ".El\n";

static const char man_examples[] =
    ".Sh EXAMPLES\n"
    "Everything found, over six decades:\n"
    ".Pp\n"
    ".Dl scanbench --plugins all --sizes 1e3..1e8 --csv out.csv\n"
    ".Pp\n"
    "The block size of the OpenCL scans, against a copy on the same device:\n"
    ".Pp\n"
    ".Dl scanbench -p 'opencl_*' -n 1e7 -b 32..1024 -o blocks.csv\n"
    ".Pp\n"
    "Go on after an interruption:\n"
    ".Pp\n"
    ".Dl scanbench --plugins all --sizes 1e3..1e8 --csv out.csv --resume\n"
    ".Pp\n"
    "Prove a plugin of one's own, then repeat one configuration of it:\n"
    ".Pp\n"
    ".Dl scanbench validate ./my_scan.so\n"
    ".Dl scanbench validate ./my_scan.so --sizes 1003 --set block=64\n";

static void print_manual(const option_words *words, FILE *out)
{
    fputs(".\\\" Printed by scanbench --help=man.\n"
          ".Dd November 20, 2026\n"
          ".Dt SCANBENCH 1\n"
          ".Os scanbench " SCANBENCH_VERSION "\n"
          ".Sh NAME\n"
          ".Nm scanbench\n"
          ".Nd compare prefix-scan algorithms\n",
          out);
    put_man_synopsis(out);
    fputs(man_description, out);
    put_man_verbs(out);
    put_man_options(words, out);
    fputs(man_ranges, out);
    fputs(man_output, out);
    fputs(man_surroundings, out);
    put_man_exits(out);
    fputs(man_examples, out);
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
