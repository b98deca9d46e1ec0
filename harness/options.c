#include "options.h"

#include "names.h"
#include "range.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_type {
    TYPE_FLAG,
    TYPE_TEXT,
    TYPE_SET,
    TYPE_COUNT,   /* uint32_t */
    TYPE_U64,     /* bytes and seeds, with the suffixes of sizes */
    TYPE_SECONDS, /* double > 0 */
} option_type;

typedef struct option {
    const char *name;
    char letter; /* 0: none */
    option_type type;
    size_t offset; /* in options */
    int verbs;
    const char *argument; /* its name in the help, or NULL */
    const char *help;     /* further lines after a newline */
} option;

enum { ALL_VERBS = VERB_RUN | VERB_LIST | VERB_VALIDATE };
#define MEMBER(name) offsetof(options, name)

static const option option_table[] = {
    {"plugins", 'p', TYPE_TEXT, MEMBER(plugins), VERB_RUN | VERB_LIST, "LIST",
     "all, ids, globs, files (with a / or .so), !exclude; default all"},
    {"sizes", 'n', TYPE_TEXT, MEMBER(sizes), VERB_RUN | VERB_VALIDATE, "RANGE",
     "elements: 1e6,2^20 or 1e3..1e8 (one a decade), a..b*F (times F),\n"
     "a..b/P (P a decade); k M G Ki Mi Gi; default 1e3..1e8\n"
     "(validate: just these, with --set, --kinds, --pattern)"},
    {"block-sizes", 'b', TYPE_TEXT, MEMBER(block_sizes), VERB_RUN, "RANGE",
     "threads per block: 128,256 or 32..1024 (doubling);\n"
     "default: each plugin's own"},
    {"set", 's', TYPE_SET, 0, VERB_RUN | VERB_VALIDATE, "NAME=LIST",
     "values of a tunable: vt=1,3,7 or vt=1..32; may be repeated"},
    {"types", 't', TYPE_TEXT, MEMBER(types), VERB_RUN | VERB_VALIDATE, "LIST",
     "i32 u32 i64 u64 f32 f64 u32x2 f32x2 or all; default i32\n(validate: all)"},
    {"ops", 0, TYPE_TEXT, MEMBER(ops), VERB_RUN | VERB_VALIDATE, "LIST",
     "sum max min affine or all; default sum (validate: all)"},
    {"kinds", 0, TYPE_TEXT, MEMBER(kinds), VERB_RUN | VERB_VALIDATE, "LIST",
     "exclusive inclusive or all; default exclusive (validate: all)"},
    {"device", 'd', TYPE_TEXT, MEMBER(device), ALL_VERBS, "LIST",
     "devices: an index, part of a name, all; backend:... for one backend,\n"
     "as cuda:1,opencl:pthread; default 0"},
    {"pin", 0, TYPE_TEXT, MEMBER(pin), VERB_RUN | VERB_VALIDATE, "WHERE",
     "auto (CPU plugins to the last core), a core's number, none"},
    {"baseline", 0, TYPE_TEXT, MEMBER(baseline), VERB_RUN, "ID",
     "plugin that speedup is counted against; default cpu_serial"},
    {"pattern", 0, TYPE_TEXT, MEMBER(pattern), VERB_VALIDATE, "WORD",
     "input for --sizes: random exact climb ones impulse:INDEX alternating\nextremes"},
    {"max-n", 0, TYPE_U64, MEMBER(max_n), VERB_VALIDATE, "N",
     "largest size of the proof; default 2Mi"},
    {"seed", 0, TYPE_U64, MEMBER(seed), VERB_RUN | VERB_VALIDATE, "N", "of the input; default 1"},
    {"timeout", 0, TYPE_SECONDS, MEMBER(timeout_s), ALL_VERBS, "S",
     "a worker that shows no progress for S seconds is ended; default 60"},
    {"time-limit", 0, TYPE_SECONDS, MEMBER(time_limit_s), VERB_RUN, "S",
     "seconds of samples per configuration; default 1"},
    {"min-samples", 0, TYPE_COUNT, MEMBER(min_samples), VERB_RUN, "N",
     "samples before precision may end them; default 20"},
    {"max-samples", 0, TYPE_COUNT, MEMBER(max_samples), VERB_RUN, "N", "default 1000"},
    {"mem-limit", 0, TYPE_U64, MEMBER(mem_limit), VERB_RUN | VERB_VALIDATE, "BYTES",
     "host memory of one configuration, as 8Gi; larger ones are skipped;\n"
     "default: nine tenths of what is free"},
    {"csv", 'o', TYPE_TEXT, MEMBER(csv), VERB_RUN, "FILE",
     "write the rows to FILE; - or nothing: to stdout"},
    {"samples", 0, TYPE_TEXT, MEMBER(samples), VERB_RUN, "FILE", "keep every raw sample, as CSV"},
    {"resume", 0, TYPE_FLAG, MEMBER(resume), VERB_RUN, NULL,
     "go on with the CSV file: keep its rows, measure what is missing"},
    {"require", 0, TYPE_TEXT, MEMBER(require), VERB_RUN | VERB_VALIDATE, "LIST",
     "plugins or backends that must be available, else exit status 3"},
    {"dry-run", 0, TYPE_FLAG, MEMBER(dry_run), VERB_RUN, NULL,
     "print what would be measured, and measure nothing"},
    {"quiet", 'q', TYPE_FLAG, MEMBER(quiet), ALL_VERBS, NULL, "no progress and no closing table"},
    {"verbose", 'v', TYPE_FLAG, MEMBER(verbose), ALL_VERBS, NULL, "show what plugins report"},
    {"color", 0, TYPE_TEXT, MEMBER(color), ALL_VERBS, "WHEN",
     "auto, always, never; NO_COLOR in the environment is never"},
    {"help", 'h', TYPE_FLAG, MEMBER(help), ALL_VERBS, NULL, "this text"},
    {"version", 'V', TYPE_FLAG, MEMBER(version), ALL_VERBS, NULL, "the version"},
};
enum { OPTION_COUNT = sizeof option_table / sizeof *option_table };

static const struct {
    const char *name;
    verb verb;
    const char *arguments;
    const char *help;
} verb_table[] = {
    {"run", VERB_RUN, "", "measure the plugins, check every result, write CSV (the default)"},
    {"list", VERB_LIST, "", "plugins, their devices, why some are unavailable; the machine"},
    {"validate", VERB_VALIDATE, " PLUGIN|FILE.so ...", "prove that plugins are right, as TAP"},
};
enum { VERB_COUNT = sizeof verb_table / sizeof *verb_table };

static const option *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, name, length) == 0)
            return &option_table[i];
    return NULL;
}

static const option *find_letter(char letter)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].letter == letter)
            return &option_table[i];
    return NULL;
}

static scan_status unknown_option(const char *argument, char *message, size_t size)
{
    const char *names[OPTION_COUNT];
    for (size_t i = 0; i < OPTION_COUNT; i++)
        names[i] = option_table[i].name;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, "="), argument);
    const char *near = nearest_name(word + strspn(word, "-"), names, OPTION_COUNT);
    if (near)
        snprintf(message, size, "unknown option %s; did you mean --%s?", word, near);
    else
        snprintf(message, size, "unknown option %s; see scanbench --help", word);
    return SCAN_INVALID;
}

/* A whole number with the suffixes of sizes. */
static bool read_number(const char *text, uint64_t *value_p)
{
    char message[256];
    range_list list = {0};
    if (range_parse(text, RANGE_STEP_ONE, &list, message, sizeof message) != SCAN_OK)
        return false;
    bool good = list.count == 1 && list.values[0] >= 0;
    if (good)
        *value_p = (uint64_t)list.values[0];
    range_free(&list);
    return good;
}

static scan_status store(options *o, const option *known, const char *value, char *message,
                         size_t size)
{
    char *member = (char *)o + known->offset;
    char *end;
    uint64_t number;
    switch (known->type) {
    case TYPE_FLAG:
        *(bool *)(void *)member = true;
        return SCAN_OK;
    case TYPE_TEXT:
        *(const char **)(void *)member = value;
        return SCAN_OK;
    case TYPE_SET:
        if (o->set_count == OPTIONS_SETS || !strchr(value, '=')) {
            snprintf(message, size, "--set %s: write NAME=LIST, as vt=1,3,7, at most %d times",
                     value, OPTIONS_SETS);
            return SCAN_INVALID;
        }
        o->sets[o->set_count++] = value;
        return SCAN_OK;
    case TYPE_U64:
        if (read_number(value, (uint64_t *)(void *)member))
            return SCAN_OK;
        break;
    case TYPE_COUNT:
        if (read_number(value, &number) && number > 0 && number <= 1000000) {
            *(uint32_t *)(void *)member = (uint32_t)number;
            return SCAN_OK;
        }
        break;
    case TYPE_SECONDS: {
        double seconds = strtod(value, &end);
        if (end != value && !*end && seconds > 0 && seconds < 1e9) {
            *(double *)(void *)member = seconds;
            return SCAN_OK;
        }
        break;
    }
    }
    snprintf(message, size, "--%s %s: this is no %s", known->name, value,
             known->type == TYPE_SECONDS ? "number of seconds above 0" : "such number");
    return SCAN_INVALID;
}

/* One option at argv[*at], with its value there or in the next argument. */
static scan_status take_option(options *o, int argc, char *const *argv, int *at, char *message,
                               size_t size)
{
    const char *argument = argv[*at];
    const char *value = NULL;
    const option *known;
    if (argument[1] == '-') {
        size_t length = strcspn(argument + 2, "=");
        known = find_option(argument + 2, length);
        value = argument[2 + length] ? argument + 3 + length : NULL;
    } else {
        known = find_letter(argument[1]);
        value = argument[2] ? argument + 2 : NULL;
    }
    if (!known || (known->type == TYPE_FLAG && value))
        return unknown_option(argument, message, size);
    if (!(known->verbs & (int)o->verb)) {
        snprintf(message, size, "--%s is not an option of this command; see scanbench --help",
                 known->name);
        return SCAN_INVALID;
    }
    if (known->type != TYPE_FLAG && !value) {
        if (*at + 1 >= argc) {
            snprintf(message, size, "--%s needs a value: --%s %s", known->name, known->name,
                     known->argument);
            return SCAN_INVALID;
        }
        value = argv[++*at];
    }
    return store(o, known, value, message, size);
}

/* The verb, if the first argument is one; *at moves past it. */
static scan_status take_verb(options *o, int argc, char *const *argv, int *at, char *message,
                             size_t size)
{
    const char *names[VERB_COUNT];
    if (argc < 2 || argv[1][0] == '-')
        return SCAN_OK;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verb_table[i].name;
        if (strcmp(argv[1], names[i]) == 0) {
            o->verb = verb_table[i].verb;
            *at = 2;
            return SCAN_OK;
        }
    }
    const char *near = nearest_name(argv[1], names, VERB_COUNT);
    snprintf(message, size, "unknown command %s%s%s; see scanbench --help", argv[1],
             near ? "; did you mean " : "", near ? near : "");
    return SCAN_INVALID;
}

scan_status options_parse(int argc, char *const *argv, options *options_p, char *message,
                          size_t size)
{
    options o = {.verb = VERB_RUN,
                 .device = "0",
                 .pin = "auto",
                 .plugins = "all",
                 .baseline = "cpu_serial",
                 .color = "auto",
                 .seed = 1,
                 .max_n = 2 << 20,
                 .timeout_s = 60,
                 .time_limit_s = 1,
                 .min_samples = 20,
                 .max_samples = 1000};
    int at = 1;
    scan_status status = take_verb(&o, argc, argv, &at, message, size);
    for (; status == SCAN_OK && at < argc; at++) {
        if (argv[at][0] == '-' && argv[at][1]) {
            status = take_option(&o, argc, argv, &at, message, size);
        } else if (o.verb == VERB_VALIDATE && o.argument_count < OPTIONS_ARGUMENTS) {
            o.arguments[o.argument_count++] = argv[at];
        } else {
            snprintf(message, size, "%s is out of place; plugins are named with --plugins %s",
                     argv[at], argv[at]);
            status = SCAN_INVALID;
        }
    }
    if (status != SCAN_OK)
        return status;
    bool proof = o.verb == VERB_VALIDATE;
    if (!proof && !o.sizes)
        o.sizes = "1e3..1e8";
    if (!o.types)
        o.types = proof ? "all" : "i32";
    if (!o.ops)
        o.ops = proof ? "all" : "sum";
    if (!o.kinds)
        o.kinds = proof ? "all" : "exclusive";
    if (o.max_samples < o.min_samples)
        o.max_samples = o.min_samples;
    *options_p = o;
    return SCAN_OK;
}

static void print_option(const option *known, FILE *out)
{
    char left[48];
    char letter[8] = "    ";
    if (known->letter)
        snprintf(letter, sizeof letter, "-%c, ", known->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, known->name, known->argument ? " " : "",
             known->argument ? known->argument : "");
    fprintf(out, "  %-26s ", left);
    for (const char *c = known->help; *c; c++) {
        fputc(*c, out);
        if (*c == '\n')
            fprintf(out, "%29s", "");
    }
    fputc('\n', out);
}

void options_print_help(const options *o, FILE *out)
{
    fprintf(out, "scanbench compares prefix-scan algorithms.\n\n");
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(out, "  scanbench %s%s [options]\n      %s\n", verb_table[i].name,
                verb_table[i].arguments, verb_table[i].help);
    fprintf(out, "\nOptions of %s\n",
            o->verb == VERB_LIST       ? "list"
            : o->verb == VERB_VALIDATE ? "validate"
                                       : "run");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].verbs & (int)o->verb)
            print_option(&option_table[i], out);
    fprintf(out,
            "\nPlugins are looked for in SCANBENCH_PLUGIN_PATH, beside the program, and where\n"
            "they are installed.\n\n"
            "Exit status: 0 all well, 1 a plugin was wrong, crashed or hung, 2 bad usage or\n"
            "I/O, 3 a required plugin is missing, 130/143 interrupted, partial results kept.\n\n"
            "  scanbench --plugins all --sizes 1e3..1e8 --csv out.csv\n");
}
