/*
 * option_map.h - the options, one line each: the members of options.h, their defaults, the
 * parser, the help, the manual and the completions come from it
 *
 *     X(name, letter, type, member, verbs, value, argument, help, words, asked)
 *
 * name      behind --
 * letter    behind -, or 0
 * type      of OPTION_TYPE_MAP
 * member    of the struct of the group, where the value is stored
 * verbs     VERB_... that take it
 * value     where the command line does not say; complete() in options.c has what depends on the
 *           verb
 * argument  its name in the help, or NULL; FILE, DIR and LIST complete as such
 * help      {} stands for the words; completions show what is before it, a newline or a semicolon
 * words     that its values are made of, separated by spaces, or NULL
 * asked     what else they are made of, ASK_... separated by commas, or NULL: `list --words`
 *           knows it, and the help has it from option_words if it is fixed
 *
 * The groups stand in the order of the help, and each is one struct of options.h.
 */
#ifndef SCANBENCH_CLI_OPTION_MAP_H
#define SCANBENCH_CLI_OPTION_MAP_H

#include "problem/input.h"

/* X(type, what a member of it is in C). options.c reads them. */
#define OPTION_TYPE_MAP(X)                                                                \
    X(FLAG, bool)                                                                         \
    X(TEXT, const char *)                                                                 \
    X(WORD, const char *) /* one of `words`, or, where the argument is a LIST, several */ \
    X(SET, option_sets)   /* NAME=LIST; may be repeated */                                \
    X(COUNT, uint32_t)    /* more than 0 */                                               \
    X(U64, uint64_t)      /* bytes and seeds, with the suffixes of sizes */               \
    X(SECONDS, double)    /* more than 0 */                                               \
    X(PERCENT, double)    /* more than 0, with or without a percent sign */               \
    X(FORM, help_form)    /* a flag, or one of `words` after "=": --help */

/* The verbs that look at plugins. */
#define OPTION_PLUGIN_VERBS (VERB_RUN | VERB_LIST | VERB_VALIDATE | VERB_TUNE | VERB_COMPARE)

/* The verbs that time plugins; compare does with --in-run. */
#define OPTION_TIMING_VERBS (VERB_RUN | VERB_TUNE | VERB_COMPARE)

/* Words that values are made of. */
#define OPTION_DTYPE_WORD(name, value, word, bytes) word " "
#define OPTION_WORD_OF(name, value, word) word " "
#define OPTION_PATTERN_WORD(name, word) word " "
#define OPTION_DTYPES SCAN_DTYPE_MAP(OPTION_DTYPE_WORD)
#define OPTION_OPS SCAN_OP_MAP(OPTION_WORD_OF)
#define OPTION_KINDS SCAN_KIND_MAP(OPTION_WORD_OF)
#define OPTION_PATTERNS INPUT_PATTERN_MAP(OPTION_PATTERN_WORD)

/* Defaults that others compare with. */
#define OPTIONS_TIMEOUT_S 60.0
enum { OPTIONS_SEED = 1, OPTIONS_MAX_N = 2 << 20 };

/* Which plugins, on which devices and cores. For validate, its arguments name the plugins. */
#define PLUGIN_OPTION_MAP(X)                                                                   \
    X("plugins", 'p', TEXT, list, VERB_RUN | VERB_LIST, "all", "LIST",                         \
      "all, ids, globs, files and folders (with a /, .so or .py), PATH:ID for one\n"           \
      "plugin of a file, !exclude; default all",                                               \
      "all", ASK_PLUGINS)                                                                      \
    X("device", 'd', TEXT, device, OPTION_PLUGIN_VERBS, "0", "LIST",                           \
      "devices: an index, part of a name, all; backend:... for one backend,\n"                 \
      "as cuda:1,opencl:pthread; default 0",                                                   \
      "all", ASK_DEVICES)                                                                      \
    X("pin", 0, TEXT, pin, OPTION_TIMING_VERBS | VERB_VALIDATE, "auto", "WHERE",               \
      "auto (CPU plugins to the last core), a core's number, none", "auto none", NULL)         \
    X("launcher", 0, TEXT, launcher, OPTION_TIMING_VERBS | VERB_VALIDATE, "mpirun -n {parts}", \
      "COMMAND",                                                                               \
      "starts the ranks of plugins whose parts are processes, where {parts}\n"                 \
      "is the most of --parts; default mpirun -n {parts}",                                     \
      NULL, NULL)                                                                              \
    X("python", 0, TEXT, python, OPTION_PLUGIN_VERBS, NULL, "PATH",                            \
      "the interpreter of plugins written in Python; default that of the\n"                    \
      "active virtual environment, else python3",                                              \
      NULL, NULL)                                                                              \
    X("timeout", 0, SECONDS, timeout_s, OPTION_PLUGIN_VERBS, OPTIONS_TIMEOUT_S, "S",           \
      "end a worker that makes no progress for S seconds; default 60", NULL, NULL)             \
    X("require", 0, TEXT, require, OPTION_PLUGIN_VERBS, NULL, "LIST",                          \
      "plugins or backends that must be available, else exit status 3\n"                       \
      "(validate: of the plugins named, if any are)",                                          \
      NULL, ASK_PLUGINS "," ASK_BACKENDS)

/* The problems: every combination of these lists. */
#define GRID_OPTION_MAP(X)                                                                   \
    X("sizes", 'n', TEXT, sizes, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "RANGE",         \
      "elements of a scan, n: 1e6,2^20 or 1e3..1e8 (one a decade), a..b*F\n"                 \
      "(times F), a..b/P (P a decade); k M G Ki Mi Gi; default 1e3..1e8\n"                   \
      "(validate: just these, with --set, --kinds, --pattern)",                              \
      NULL, NULL)                                                                            \
    X("rows", 0, TEXT, rows, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "RANGE",             \
      "how many rows of n elements, each a scan of its own: a range as that\n"               \
      "of --sizes; default 1",                                                               \
      NULL, NULL)                                                                            \
    X("inner", 0, TEXT, inner, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "RANGE",           \
      "scans that lie side by side, element by element: along an axis of a\n"                \
      "tensor rows x n x inner; default 1",                                                  \
      NULL, NULL)                                                                            \
    X("elements", 0, TEXT, elements, OPTION_TIMING_VERBS, NULL, "N",                         \
      "instead of --rows: as many as make about N elements in all, at each n\n"              \
      "and inner",                                                                           \
      NULL, NULL)                                                                            \
    X("block-sizes", 'b', TEXT, block_sizes, OPTION_TIMING_VERBS, NULL, "RANGE",             \
      "threads per block: 128,256 or 32..1024 (doubling);\n"                                 \
      "default: each plugin's own",                                                          \
      NULL, NULL)                                                                            \
    X("parts", 0, TEXT, parts, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "RANGE",           \
      "parts (GPUs) that share a problem, in plugins that know of parts:\n"                  \
      "1,2,4 or 1..8; default 1 (validate: 1 to 8)",                                         \
      NULL, NULL)                                                                            \
    X("set", 's', SET, sets, OPTION_TIMING_VERBS | VERB_VALIDATE, {.count = 0}, "NAME=LIST", \
      "values of a tunable: vt=1,3,7 or vt=1..32; may be repeated", NULL, ASK_TUNABLES)      \
    X("types", 't', TEXT, types, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "LIST",          \
      "element types: {};\ndefault i32 (validate: all)", OPTION_DTYPES "all", NULL)          \
    X("results", 0, TEXT, results, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "LIST",        \
      "types of the results: same, wide (i8, i16 to i32; u8, u16 to u32; f16,\n"             \
      "bf16 to f32; 32 bits to 64) or wider types; default same (validate:\n"                \
      "all, with --sizes same)",                                                             \
      "same wide " OPTION_DTYPES "all", NULL)                                                \
    X("ops", 0, TEXT, ops, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "LIST",                \
      "operators: {}; default sum (validate: all)", OPTION_OPS "all", NULL)                  \
    X("kinds", 0, TEXT, kinds, OPTION_TIMING_VERBS | VERB_VALIDATE, NULL, "LIST",            \
      "kinds of scan: {}; any: the one that\neach plugin has, both in one ranking (not "     \
      "validate);\n"                                                                         \
      "default exclusive (validate: all)",                                                   \
      OPTION_KINDS "all any", NULL)                                                          \
    X("cache", 0, WORD, cache, VERB_RUN, "hot", "LIST",                                      \
      "hot: as the run before leaves the caches; cold: displaced before\n"                   \
      "each sample; default hot",                                                            \
      "hot cold", NULL)                                                                      \
    X("pattern", 0, TEXT, pattern, VERB_VALIDATE, NULL, "WORD",                              \
      "input for --sizes: {}; impulse:INDEX says where", OPTION_PATTERNS, NULL)              \
    X("seed", 0, U64, seed, OPTION_TIMING_VERBS | VERB_VALIDATE, OPTIONS_SEED, "N",          \
      "random seed for the input; default 1", NULL, NULL)

/* How one configuration is measured. */
#define MEASURING_OPTION_MAP(X)                                                               \
    X("order", 0, WORD, order, VERB_RUN, "rounds", "HOW",                                     \
      "rounds: sample the configurations of a size in turns, in random\n"                     \
      "order; sequential: one after the other; default rounds",                               \
      "rounds sequential", NULL)                                                              \
    X("time-limit", 0, SECONDS, time_limit_s, OPTION_TIMING_VERBS, 1, "S",                    \
      "seconds of samples per configuration, all of a size together;\ndefault 1", NULL, NULL) \
    X("min-samples", 0, COUNT, min_samples, OPTION_TIMING_VERBS, 20, "N",                     \
      "samples to take even when the median is precise enough;\ndefault 20", NULL, NULL)      \
    X("max-samples", 0, COUNT, max_samples, OPTION_TIMING_VERBS, 1000, "N",                   \
      "samples at most, in up to 40 rounds; default 1000", NULL, NULL)                        \
    X("mem-limit", 0, U64, mem_limit, OPTION_TIMING_VERBS | VERB_VALIDATE, 0, "BYTES",        \
      "skip configurations that need more host memory, as 8Gi;\n"                             \
      "default: nine tenths of what is free (validate: no limit)",                            \
      NULL, NULL)

/* Where the rows go, and the plugin their speedups are counted against. */
#define OUTPUT_OPTION_MAP(X)                                                                    \
    X("csv", 'o', TEXT, csv, VERB_RUN | VERB_TUNE, NULL, "FILE",                                \
      "write the rows to FILE; - is stdout, the default unless that is a\n"                     \
      "terminal, which gets the closing table alone",                                           \
      NULL, NULL)                                                                               \
    X("json", 0, TEXT, json, VERB_RUN | VERB_TUNE | VERB_VALIDATE | VERB_COMPARE | VERB_REPORT, \
      NULL, "FILE",                                                                             \
      "run, tune: write the rows to FILE as JSON lines, instead of CSV or\nbeside --csv; "      \
      "validate, compare, report --history: the outcome;\n"                                     \
      "- is stdout, instead of CSV, TAP or the tables",                                         \
      NULL, NULL)                                                                               \
    X("samples", 0, TEXT, samples, VERB_RUN | VERB_TUNE, NULL, "FILE",                          \
      "write every raw sample to FILE, as CSV", NULL, NULL)                                     \
    X("page", 0, TEXT, page, VERB_RUN, NULL, "FILE",                                            \
      "when the run ends, write a page of the rows in --csv to FILE, for a\n"                   \
      "browser, as report -o does; needs python3",                                              \
      NULL, NULL)                                                                               \
    X("resume", 0, FLAG, resume, VERB_RUN, false, NULL,                                         \
      "continue the file of --csv: keep its rows, measure what is missing", NULL, NULL)         \
    X("retry", 0, FLAG, retry, VERB_RUN, false, NULL,                                           \
      "with --resume: measure again what was wrong, crashed, hung or failed,\nand what was "    \
      "skipped, as for lack of memory",                                                         \
      NULL, NULL)                                                                               \
    X("overwrite", 0, FLAG, overwrite, VERB_RUN | VERB_TUNE, false, NULL,                       \
      "discard the rows that --csv, --samples and --json have; else they are\nkept in files "   \
      "beside them, whose names have their time",                                               \
      NULL, NULL)                                                                               \
    X("baseline", 0, TEXT, baseline, VERB_RUN, "cpu_serial", "ID",                              \
      "plugin that speedups are relative to; default cpu_serial", NULL, ASK_PLUGINS)            \
    X("baseline-file", 0, TEXT, baseline_file, VERB_RUN | VERB_COMPARE, NULL, "NAME",           \
      "run: write the rows to the baseline of that name; compare: compare\n"                    \
      "with it. It is NAME.csv in the folder SCANBENCH_BASELINES of the\n"                      \
      "environment, or here; a NAME with a / or .csv is a path",                                \
      NULL, NULL)

/* What is proved, and where the outcome goes. */
#define PROOF_OPTION_MAP(X)                                                                      \
    X("claims", 0, TEXT, claims, VERB_VALIDATE, NULL, "LIST", "claims to test: {}; default all", \
      NULL, ASK_CLAIMS)                                                                          \
    X("max-n", 0, U64, max_n, VERB_VALIDATE, OPTIONS_MAX_N, "N",                                 \
      "largest size of the proof; default 2Mi, and in the claim large\n"                         \
      "what a quarter of the free memory and 2 to 10 s allow; if N is\n"                         \
      "given, large goes up to N, in nine tenths of the memory",                                 \
      NULL, NULL)                                                                                \
    X("claim-limit", 0, SECONDS, claim_limit_s, VERB_VALIDATE, 20, "S",                          \
      "seconds of slow runs in a claim, and six times as many in all; what\n"                    \
      "is left out then makes the claim a SKIP; default 20",                                     \
      NULL, NULL)

/* When a time has changed. */
#define COMPARE_OPTION_MAP(X)                                                           \
    X("in-run", 0, FLAG, in_run, VERB_COMPARE, false, NULL,                             \
      "measure two plugins, builds or settings in the same rounds: OLD.so\n"            \
      "NEW.so, ids, FILE.so:ID, PLUGIN:NAME=VALUE,...; takes the options of run\n"      \
      "that say what to measure",                                                       \
      NULL, NULL)                                                                       \
    X("threshold", 0, PERCENT, threshold_pct, VERB_COMPARE | VERB_REPORT, 0, "PERCENT", \
      "smaller changes do not count; default 3", NULL, NULL)                            \
    X("phase", 0, WORD, phases, VERB_COMPARE, "run", "LIST",                            \
      "which times to compare: {}; default run", "run device graph e2e", NULL)          \
    X("markdown", 0, FLAG, markdown, VERB_COMPARE | VERB_REPORT, false, NULL,           \
      "print the tables for an issue or a pull request", NULL, NULL)

/* What is made of files of results. */
#define REPORT_OPTION_MAP(X)                                                                   \
    X("html", 'o', TEXT, html, VERB_REPORT, NULL, "FILE",                                      \
      "write one page with plots and tables to FILE, for a browser;\n- is stdout", NULL, NULL) \
    X("claims", 0, TEXT, claims, VERB_REPORT, NULL, "FILE",                                    \
      "judge the claims of a recipe, or of all *.recipe in a folder,\n"                        \
      "instead of the tables",                                                                 \
      NULL, NULL)                                                                              \
    X("history", 0, TEXT, history, VERB_REPORT, NULL, "DIR",                                   \
      "all CSVs of a folder, one of each commit: times, and where they changed", NULL, NULL)   \
    X("export", 0, WORD, export_to, VERB_REPORT, NULL, "FORMAT",                               \
      "print the times for a service that draws them over commits: {}",                        \
      "github-action-benchmark bencher", NULL)

/* What is made of a run that is handed in. */
#define SUBMIT_OPTION_MAP(X)                                                      \
    X("output", 'o', TEXT, file, VERB_SUBMIT, NULL, "FILE",                       \
      "write the submission to FILE, packed by gzip; default: the machine's\n"    \
      "name with .gz; - is stdout",                                               \
      NULL, NULL)                                                                 \
    X("name", 0, TEXT, name, VERB_SUBMIT, NULL, "TEXT",                           \
      "what people call the machine; default its GPU or processor and its\n"      \
      "cores, as \"H200, 16 cores\"",                                             \
      NULL, NULL)                                                                 \
    X("proof", 0, TEXT, proof, VERB_SUBMIT, NULL, "FILE",                         \
      "what validate --json FILE has proved of the plugins: it is noted beside\n" \
      "them; of a plugin without it the submission says that it was not proved",  \
      NULL, NULL)                                                                 \
    X("foreign", 0, FLAG, foreign, VERB_SUBMIT, false, NULL,                      \
      "take plugins that are not scanbench's, too, and name them as such", NULL, NULL)

/* The plugin that `new` writes. */
#define NEW_OPTION_MAP(X)                                                                        \
    X("backend", 0, TEXT, backend, VERB_NEW, "cpu", "WORD",                                      \
      "what the new plugin runs on: {}; default cpu", NULL, ASK_TEMPLATES)                       \
    X("role", 0, TEXT, role, VERB_NEW, "algorithm", "WORD",                                      \
      "what the new plugin is: {}; a peer calls a library;\ndefault algorithm", NULL, ASK_ROLES) \
    X("language", 0, WORD, language, VERB_NEW, NULL, "WORD",                                     \
      "what it is written in, or in Python with: {};\ndefault c++ for a peer on the CPU, numpy " \
      "in Python",                                                                               \
      "c c++ cuda numpy torch cupy numba jax triton", NULL)

/* What a command shows, or shows instead of its work. */
#define DISPLAY_OPTION_MAP(X)                                                                      \
    X("dry-run", 0, FLAG, dry_run, VERB_RUN, false, NULL,                                          \
      "print what would be measured and how long that takes,\nand measure nothing", NULL, NULL)    \
    X("profile", 0, FLAG, profile, VERB_RUN, false, NULL,                                          \
      "for ncu, nsys or perf around the program: check each configuration\n"                       \
      "and run it once in an NVTX range; measure nothing",                                         \
      NULL, NULL)                                                                                  \
    X("words", 0, WORD, words, VERB_LIST, NULL, "LIST",                                            \
      "print only these words, for scripts: {};\n"                                                 \
      "one a line, followed by a tab and what it is",                                              \
      ASK_PLUGINS " " ASK_BACKENDS " " ASK_DEVICES " " ASK_TUNABLES " " ASK_CLAIMS                 \
                  " " ASK_TEMPLATES " " ASK_ROLES,                                                 \
      NULL)                                                                                        \
    X("quiet", 'q', FLAG, quiet, ALL_VERBS, false, NULL, "no progress bar and no table", NULL,     \
      NULL)                                                                                        \
    X("verbose", 'v', FLAG, verbose, OPTION_PLUGIN_VERBS, false, NULL, "show what plugins report", \
      NULL, NULL)                                                                                  \
    X("color", 0, WORD, color, OPTION_PLUGIN_VERBS | VERB_REPORT, "auto", "WHEN",                  \
      "colour the table: {};\nNO_COLOR in the environment means never", "auto always never", NULL) \
    X("help", 'h', FORM, help, ALL_VERBS, HELP_NONE, NULL,                                         \
      "this text; --help=man: the manual; =bash, =zsh, =fish: completions;\n=columns: what the "   \
      "columns of the CSV mean",                                                                   \
      "man bash zsh fish columns", NULL)                                                           \
    X("version", 'V', FLAG, version, ALL_VERBS, false, NULL, "the version", NULL, NULL)

#endif
