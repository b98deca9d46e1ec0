#include "cli/option_table.h"

#include "exit_status.h"
#include "problem/input.h"

#include <stddef.h>
#include <string.h>

#define DTYPE_WORD(name, value, word, bytes) word " "
#define WORD(name, value, word) word " "
#define PATTERN_WORD(name, word) word " "
#define DTYPES SCAN_DTYPE_MAP(DTYPE_WORD)
#define OPS SCAN_OP_MAP(WORD)
#define KINDS SCAN_KIND_MAP(WORD)
#define PATTERNS INPUT_PATTERN_MAP(PATTERN_WORD)
#define MEMBER(name) offsetof(options, name)
#define PLUGIN_VERBS (VERB_RUN | VERB_LIST | VERB_VALIDATE)

/* Sorted by what they are about, as options.h is. */
const option_entry option_table[] = {
    {"plugins", 'p', OPTION_TEXT, MEMBER(plugins.list), VERB_RUN | VERB_LIST, "LIST",
     "all, ids, globs, files and folders (with a / or .so), !exclude;\ndefault all", "all",
     ASK_PLUGINS},
    {"sizes", 'n', OPTION_TEXT, MEMBER(grid.sizes), VERB_RUN | VERB_VALIDATE, "RANGE",
     "elements: 1e6,2^20 or 1e3..1e8 (one a decade), a..b*F (times F),\n"
     "a..b/P (P a decade); k M G Ki Mi Gi; default 1e3..1e8\n"
     "(validate: just these, with --set, --kinds, --pattern)",
     NULL, NULL},
    {"block-sizes", 'b', OPTION_TEXT, MEMBER(grid.block_sizes), VERB_RUN, "RANGE",
     "threads per block: 128,256 or 32..1024 (doubling);\n"
     "default: each plugin's own",
     NULL, NULL},
    {"set", 's', OPTION_SET, 0, VERB_RUN | VERB_VALIDATE, "NAME=LIST",
     "values of a tunable: vt=1,3,7 or vt=1..32; may be repeated", NULL, ASK_TUNABLES},
    {"types", 't', OPTION_TEXT, MEMBER(grid.types), VERB_RUN | VERB_VALIDATE, "LIST",
     "element types: {};\ndefault i32 (validate: all)", DTYPES "all", NULL},
    {"ops", 0, OPTION_TEXT, MEMBER(grid.ops), VERB_RUN | VERB_VALIDATE, "LIST",
     "operators: {}; default sum (validate: all)", OPS "all", NULL},
    {"kinds", 0, OPTION_TEXT, MEMBER(grid.kinds), VERB_RUN | VERB_VALIDATE, "LIST",
     "kinds of scan: {};\ndefault exclusive (validate: all)", KINDS "all", NULL},
    {"device", 'd', OPTION_TEXT, MEMBER(plugins.device), PLUGIN_VERBS, "LIST",
     "devices: an index, part of a name, all; backend:... for one backend,\n"
     "as cuda:1,opencl:pthread; default 0",
     "all", ASK_DEVICES},
    {"pin", 0, OPTION_TEXT, MEMBER(plugins.pin), VERB_RUN | VERB_VALIDATE, "WHERE",
     "auto (CPU plugins to the last core), a core's number, none", "auto none", NULL},
    {"baseline", 0, OPTION_TEXT, MEMBER(output.baseline), VERB_RUN, "ID",
     "plugin that speedups are relative to; default cpu_serial", NULL, ASK_PLUGINS},
    {"pattern", 0, OPTION_TEXT, MEMBER(grid.pattern), VERB_VALIDATE, "WORD",
     "input for --sizes: {}; impulse:INDEX says where", PATTERNS, NULL},
    {"claims", 0, OPTION_TEXT, MEMBER(proof.claims), VERB_VALIDATE, "LIST",
     "claims to test: {}; default all", NULL, ASK_CLAIMS},
    {"backend", 0, OPTION_TEXT, MEMBER(backend), VERB_NEW, "WORD",
     "what the new plugin runs on: {}; default cpu", NULL, ASK_TEMPLATES},
    {"role", 0, OPTION_TEXT, MEMBER(role), VERB_NEW, "WORD",
     "what the new plugin is: {}; a peer calls a library;\ndefault algorithm", NULL, ASK_ROLES},
    {"max-n", 0, OPTION_U64, MEMBER(proof.max_n), VERB_VALIDATE, "N",
     "largest size of the proof; default 2Mi", NULL, NULL},
    {"seed", 0, OPTION_U64, MEMBER(grid.seed), VERB_RUN | VERB_VALIDATE, "N",
     "random seed for the input; default 1", NULL, NULL},
    {"timeout", 0, OPTION_SECONDS, MEMBER(plugins.timeout_s), PLUGIN_VERBS, "S",
     "end a worker that makes no progress for S seconds; default 60", NULL, NULL},
    {"time-limit", 0, OPTION_SECONDS, MEMBER(measuring.time_limit_s), VERB_RUN, "S",
     "seconds of samples per configuration; default 1", NULL, NULL},
    {"min-samples", 0, OPTION_COUNT, MEMBER(measuring.min_samples), VERB_RUN, "N",
     "samples to take even when the median is precise enough;\ndefault 20", NULL, NULL},
    {"max-samples", 0, OPTION_COUNT, MEMBER(measuring.max_samples), VERB_RUN, "N",
     "samples at most; default 1000", NULL, NULL},
    {"mem-limit", 0, OPTION_U64, MEMBER(measuring.mem_limit), VERB_RUN, "BYTES",
     "skip configurations that need more host memory, as 8Gi;\n"
     "default: nine tenths of what is free",
     NULL, NULL},
    {"csv", 'o', OPTION_TEXT, MEMBER(output.csv), VERB_RUN, "FILE",
     "write the rows to FILE; default -, which is stdout", NULL, NULL},
    {"samples", 0, OPTION_TEXT, MEMBER(output.samples), VERB_RUN, "FILE",
     "write every raw sample to FILE, as CSV", NULL, NULL},
    {"json", 0, OPTION_TEXT, MEMBER(proof.json), VERB_VALIDATE, "FILE",
     "write the outcome of each claim to FILE; - is stdout, instead of TAP", NULL, NULL},
    {"resume", 0, OPTION_FLAG, MEMBER(output.resume), VERB_RUN, NULL,
     "continue the file of --csv: keep its rows, measure what is missing", NULL, NULL},
    {"require", 0, OPTION_TEXT, MEMBER(plugins.require), PLUGIN_VERBS, "LIST",
     "plugins or backends that must be available, else exit status 3\n"
     "(validate: of the plugins named, if any are)",
     NULL, ASK_PLUGINS "," ASK_BACKENDS},
    {"dry-run", 0, OPTION_FLAG, MEMBER(dry_run), VERB_RUN, NULL,
     "print what would be measured, and measure nothing", NULL, NULL},
    {"words", 0, OPTION_WORD, MEMBER(words), VERB_LIST, "LIST",
     "print only these words, for scripts and completions: {};\n"
     "one a line, followed by a tab and what it is",
     ASK_PLUGINS " " ASK_BACKENDS " " ASK_DEVICES " " ASK_TUNABLES " " ASK_CLAIMS " " ASK_TEMPLATES
                 " " ASK_ROLES,
     NULL},
    {"quiet", 'q', OPTION_FLAG, MEMBER(quiet), ALL_VERBS, NULL,
     "no progress bar and no closing table", NULL, NULL},
    {"verbose", 'v', OPTION_FLAG, MEMBER(verbose), PLUGIN_VERBS, NULL, "show what plugins report",
     NULL, NULL},
    {"color", 0, OPTION_WORD, MEMBER(color), PLUGIN_VERBS, "WHEN",
     "colour the table: {};\nNO_COLOR in the environment means never", "auto always never", NULL},
    {"help", 'h', OPTION_FORM, MEMBER(help), ALL_VERBS, NULL,
     "this text; --help=man: the manual; =bash, =zsh, =fish: completions", "man bash zsh fish",
     NULL},
    {"version", 'V', OPTION_FLAG, MEMBER(version), ALL_VERBS, NULL, "the version", NULL, NULL},
};
const size_t option_count = sizeof option_table / sizeof *option_table;
_Static_assert(sizeof option_table / sizeof *option_table <= OPTIONS_MOST, "OPTIONS_MOST");

const verb_entry verb_table[] = {
    {"run", VERB_RUN, "", "measure the plugins, check every result, write CSV (the default)",
     false},
    {"list", VERB_LIST, "", "plugins, their devices, why some are unavailable; the machine", false},
    {"validate", VERB_VALIDATE, " [PLUGIN|FILE.so|FOLDER ...]",
     "prove that plugins are right, as TAP", true},
    {"new", VERB_NEW, " NAME", "write a complete plugin to start from", false},
};
const size_t verb_count = sizeof verb_table / sizeof *verb_table;
_Static_assert(sizeof verb_table / sizeof *verb_table <= VERBS_MOST, "VERBS_MOST");

#define EXIT_ENTRY(name, value, meaning) {#value, meaning},
const exit_entry exit_table[] = {
    EXIT_STATUS_MAP(EXIT_ENTRY){EXIT_INTERRUPTED_WORD, EXIT_INTERRUPTED_MEANING},
};
const size_t exit_count = sizeof exit_table / sizeof *exit_table;

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
