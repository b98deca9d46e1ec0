#include "cli/option_table.h"

#include "problem/input.h"
#include "proof/claims.h"

#include <stddef.h>

#define DTYPE_WORD(name, value, word, bytes) word " "
#define WORD(name, value, word) word " "
#define PATTERN_WORD(name, word) word " "
#define DTYPES SCAN_DTYPE_MAP(DTYPE_WORD)
#define OPS SCAN_OP_MAP(WORD)
#define KINDS SCAN_KIND_MAP(WORD)
#define PATTERNS INPUT_PATTERN_MAP(PATTERN_WORD)
#define MEMBER(name) offsetof(options, name)
#define PLUGIN_VERBS (VERB_RUN | VERB_LIST | VERB_VALIDATE)

const option option_table[] = {
    {"plugins", 'p', OPTION_TEXT, MEMBER(plugins), VERB_RUN | VERB_LIST, "LIST",
     "all, ids, globs, files (with a / or .so), !exclude; default all", "all"},
    {"sizes", 'n', OPTION_TEXT, MEMBER(sizes), VERB_RUN | VERB_VALIDATE, "RANGE",
     "elements: 1e6,2^20 or 1e3..1e8 (one a decade), a..b*F (times F),\n"
     "a..b/P (P a decade); k M G Ki Mi Gi; default 1e3..1e8\n"
     "(validate: just these, with --set, --kinds, --pattern)",
     NULL},
    {"block-sizes", 'b', OPTION_TEXT, MEMBER(block_sizes), VERB_RUN, "RANGE",
     "threads per block: 128,256 or 32..1024 (doubling);\n"
     "default: each plugin's own",
     NULL},
    {"set", 's', OPTION_SET, 0, VERB_RUN | VERB_VALIDATE, "NAME=LIST",
     "values of a tunable: vt=1,3,7 or vt=1..32; may be repeated", NULL},
    {"types", 't', OPTION_TEXT, MEMBER(types), VERB_RUN | VERB_VALIDATE, "LIST",
     DTYPES "or all; default i32\n(validate: all)", DTYPES "all"},
    {"ops", 0, OPTION_TEXT, MEMBER(ops), VERB_RUN | VERB_VALIDATE, "LIST",
     OPS "or all; default sum (validate: all)", OPS "all"},
    {"kinds", 0, OPTION_TEXT, MEMBER(kinds), VERB_RUN | VERB_VALIDATE, "LIST",
     KINDS "or all; default exclusive (validate: all)", KINDS "all"},
    {"device", 'd', OPTION_TEXT, MEMBER(device), PLUGIN_VERBS, "LIST",
     "devices: an index, part of a name, all; backend:... for one backend,\n"
     "as cuda:1,opencl:pthread; default 0",
     "all"},
    {"pin", 0, OPTION_TEXT, MEMBER(pin), VERB_RUN | VERB_VALIDATE, "WHERE",
     "auto (CPU plugins to the last core), a core's number, none", "auto none"},
    {"baseline", 0, OPTION_TEXT, MEMBER(baseline), VERB_RUN, "ID",
     "plugin that speedup is counted against; default cpu_serial", NULL},
    {"pattern", 0, OPTION_TEXT, MEMBER(pattern), VERB_VALIDATE, "WORD",
     "input for --sizes: random exact climb ones impulse:INDEX alternating\nextremes", PATTERNS},
    {"claims", 0, OPTION_TEXT, MEMBER(claims), VERB_VALIDATE, "LIST",
     "checks by name:\n" PROOF_LOADING_WORDS "\n" PROOF_ANSWER_WORDS "\n" PROOF_BEHAVIOUR_WORDS
     "\ndefault all",
     PROOF_CLAIM_WORDS},
    {"backend", 0, OPTION_TEXT, MEMBER(backend), VERB_NEW, "WORD",
     "of the new plugin: cpu, cuda or opencl; default cpu", "cpu cuda opencl"},
    {"max-n", 0, OPTION_U64, MEMBER(max_n), VERB_VALIDATE, "N",
     "largest size of the proof; default 2Mi", NULL},
    {"seed", 0, OPTION_U64, MEMBER(seed), VERB_RUN | VERB_VALIDATE, "N", "of the input; default 1",
     NULL},
    {"timeout", 0, OPTION_SECONDS, MEMBER(timeout_s), PLUGIN_VERBS, "S",
     "a worker that shows no progress for S seconds is ended; default 60", NULL},
    {"time-limit", 0, OPTION_SECONDS, MEMBER(time_limit_s), VERB_RUN, "S",
     "seconds of samples per configuration; default 1", NULL},
    {"min-samples", 0, OPTION_COUNT, MEMBER(min_samples), VERB_RUN, "N",
     "samples before precision may end them; default 20", NULL},
    {"max-samples", 0, OPTION_COUNT, MEMBER(max_samples), VERB_RUN, "N",
     "samples at most; default 1000", NULL},
    {"mem-limit", 0, OPTION_U64, MEMBER(mem_limit), VERB_RUN | VERB_VALIDATE, "BYTES",
     "host memory of one configuration, as 8Gi; larger ones are skipped;\n"
     "default: nine tenths of what is free",
     NULL},
    {"csv", 'o', OPTION_TEXT, MEMBER(csv), VERB_RUN, "FILE",
     "write the rows to FILE; - or nothing: to stdout", NULL},
    {"samples", 0, OPTION_TEXT, MEMBER(samples), VERB_RUN, "FILE", "keep every raw sample, as CSV",
     NULL},
    {"json", 0, OPTION_TEXT, MEMBER(json), VERB_VALIDATE, "FILE",
     "write the outcome of each check to FILE; - : to stdout, instead of TAP", NULL},
    {"resume", 0, OPTION_FLAG, MEMBER(resume), VERB_RUN, NULL,
     "go on with the CSV file: keep its rows, measure what is missing", NULL},
    {"require", 0, OPTION_TEXT, MEMBER(require), PLUGIN_VERBS, "LIST",
     "plugins or backends that must be available, else exit status 3\n"
     "(validate: of the plugins named, if any are)",
     NULL},
    {"dry-run", 0, OPTION_FLAG, MEMBER(dry_run), VERB_RUN, NULL,
     "print what would be measured, and measure nothing", NULL},
    {"quiet", 'q', OPTION_FLAG, MEMBER(quiet), ALL_VERBS, NULL, "no progress and no closing table",
     NULL},
    {"verbose", 'v', OPTION_FLAG, MEMBER(verbose), PLUGIN_VERBS, NULL, "show what plugins report",
     NULL},
    {"color", 0, OPTION_TEXT, MEMBER(color), PLUGIN_VERBS, "WHEN",
     "auto, always, never; NO_COLOR in the environment is never", "auto always never"},
    {"help", 'h', OPTION_FORM, MEMBER(help), ALL_VERBS, NULL,
     "this text; --help=man: the manual; =bash, =zsh, =fish: completions", "man bash zsh fish"},
    {"version", 'V', OPTION_FLAG, MEMBER(version), ALL_VERBS, NULL, "the version", NULL},
};
const size_t option_count = sizeof option_table / sizeof *option_table;
_Static_assert(sizeof option_table / sizeof *option_table <= OPTIONS_MOST, "OPTIONS_MOST");

const verb_entry verb_table[] = {
    {"run", VERB_RUN, "", "measure the plugins, check every result, write CSV (the default)"},
    {"list", VERB_LIST, "", "plugins, their devices, why some are unavailable; the machine"},
    {"validate", VERB_VALIDATE, " [PLUGIN|FILE.so ...]", "prove that plugins are right, as TAP"},
    {"new", VERB_NEW, " NAME", "write a plugin that is complete, to be changed"},
};
const size_t verb_count = sizeof verb_table / sizeof *verb_table;
_Static_assert(sizeof verb_table / sizeof *verb_table <= VERBS_MOST, "VERBS_MOST");

const exit_entry exit_table[] = {
    {"0", "all well"},
    {"1", "a plugin was wrong, crashed or hung"},
    {"2", "bad usage or I/O"},
    {"3", "a required plugin is missing"},
    {"129/130/143", "interrupted, partial results kept"},
};
const size_t exit_count = sizeof exit_table / sizeof *exit_table;
