#include "cli/option_table.h"

#include "problem/names.h"
#include "text/range.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const option *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < option_count; i++)
        if (strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, name, length) == 0)
            return &option_table[i];
    return NULL;
}

static const option *find_letter(char letter)
{
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].letter == letter)
            return &option_table[i];
    return NULL;
}

static scan_status unknown_option(const char *argument, errmsg *error)
{
    const char *names[OPTIONS_MOST];
    for (size_t i = 0; i < option_count; i++)
        names[i] = option_table[i].name;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, "="), argument);
    const char *near = nearest_name(word + strspn(word, "-"), names, option_count);
    if (near)
        errmsg_set(error, SCAN_INVALID, "unknown option %s; did you mean --%s?", word, near);
    else
        errmsg_set(error, SCAN_INVALID, "unknown option %s; see scanbench --help", word);
    return SCAN_INVALID;
}

/* A whole number with the suffixes of sizes. */
static bool read_number(const char *text, uint64_t *value_p)
{
    errmsg error;
    range_list list = {0};
    if (range_parse(text, RANGE_STEP_ONE, &list, &error) != SCAN_OK)
        return false;
    bool good = list.count == 1 && list.values[0] >= 0;
    if (good)
        *value_p = (uint64_t)list.values[0];
    range_free(&list);
    return good;
}

static scan_status store_form(options *o, const option *known, const char *value, errmsg *error)
{
    static const char *const forms[] = {
        [HELP_MAN] = "man", [HELP_BASH] = "bash", [HELP_ZSH] = "zsh", [HELP_FISH] = "fish"};
    o->help = true;
    if (!value)
        return SCAN_OK;
    for (size_t i = HELP_MAN; i <= HELP_FISH; i++)
        if (strcmp(value, forms[i]) == 0) {
            o->help_form = (help_form)i;
            return SCAN_OK;
        }
    errmsg_set(error, SCAN_INVALID, "--%s=%s: write one of %s", known->name, value, known->words);
    return SCAN_INVALID;
}

static scan_status store(options *o, const option *known, const char *value, errmsg *error)
{
    char *member = (char *)o + known->offset;
    char *end;
    uint64_t number;
    switch (known->type) {
    case OPTION_FLAG:
        *(bool *)(void *)member = true;
        return SCAN_OK;
    case OPTION_TEXT:
        *(const char **)(void *)member = value;
        return SCAN_OK;
    case OPTION_FORM:
        return store_form(o, known, value, error);
    case OPTION_SET:
        if (o->set_count == OPTIONS_SETS || !strchr(value, '=')) {
            errmsg_set(error, SCAN_INVALID,
                       "--set %s: write NAME=LIST, as vt=1,3,7, at most %d times", value,
                       OPTIONS_SETS);
            return SCAN_INVALID;
        }
        o->sets[o->set_count++] = value;
        return SCAN_OK;
    case OPTION_U64:
        if (read_number(value, (uint64_t *)(void *)member))
            return SCAN_OK;
        break;
    case OPTION_COUNT:
        if (read_number(value, &number) && number > 0 && number <= 1000000) {
            *(uint32_t *)(void *)member = (uint32_t)number;
            return SCAN_OK;
        }
        break;
    case OPTION_SECONDS: {
        double seconds = strtod(value, &end);
        if (end != value && !*end && seconds > 0 && seconds < 1e9) {
            *(double *)(void *)member = seconds;
            return SCAN_OK;
        }
        break;
    }
    }
    errmsg_set(error, SCAN_INVALID, "--%s %s: this is no %s", known->name, value,
               known->type == OPTION_SECONDS ? "number of seconds above 0" : "such number");
    return SCAN_INVALID;
}

/* One option at argv[*at], with its value there or in the next argument. */
static scan_status take_option(options *o, int argc, char *const *argv, int *at, errmsg *error)
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
    if (!known || (known->type == OPTION_FLAG && value))
        return unknown_option(argument, error);
    if (!(known->verbs & (int)o->verb)) {
        errmsg_set(error, SCAN_INVALID,
                   "--%s is not an option of this command; see scanbench --help", known->name);
        return SCAN_INVALID;
    }
    if (known->type != OPTION_FLAG && known->type != OPTION_FORM && !value) {
        if (*at + 1 >= argc) {
            errmsg_set(error, SCAN_INVALID, "--%s needs a value: --%s %s", known->name, known->name,
                       known->argument);
            return SCAN_INVALID;
        }
        value = argv[++*at];
    }
    return store(o, known, value, error);
}

/* The verb, if the first argument is one; *at moves past it. */
static scan_status take_verb(options *o, int argc, char *const *argv, int *at, errmsg *error)
{
    const char *names[VERBS_MOST];
    if (argc < 2 || argv[1][0] == '-')
        return SCAN_OK;
    for (size_t i = 0; i < verb_count; i++) {
        names[i] = verb_table[i].name;
        if (strcmp(argv[1], names[i]) == 0) {
            o->verb = verb_table[i].verb;
            *at = 2;
            return SCAN_OK;
        }
    }
    const char *near = nearest_name(argv[1], names, verb_count);
    errmsg_set(error, SCAN_INVALID, "unknown command %s%s%s; see scanbench --help", argv[1],
               near ? "; did you mean " : "", near ? near : "");
    return SCAN_INVALID;
}

scan_status options_parse(int argc, char *const *argv, options *options_p, errmsg *error)
{
    options o = {.program = argc > 0 ? argv[0] : "scanbench",
                 .verb = VERB_RUN,
                 .device = "0",
                 .pin = "auto",
                 .plugins = "all",
                 .baseline = "cpu_serial",
                 .backend = "cpu",
                 .role = "algorithm",
                 .color = "auto",
                 .seed = OPTIONS_SEED,
                 .max_n = OPTIONS_MAX_N,
                 .timeout_s = OPTIONS_TIMEOUT_S,
                 .time_limit_s = 1,
                 .min_samples = 20,
                 .max_samples = 1000};
    int at = 1;
    scan_status status = take_verb(&o, argc, argv, &at, error);
    for (; status == SCAN_OK && at < argc; at++) {
        if (argv[at][0] == '-' && argv[at][1]) {
            status = take_option(&o, argc, argv, &at, error);
        } else if (o.verb & (VERB_VALIDATE | VERB_NEW) && o.argument_count < OPTIONS_ARGUMENTS) {
            o.arguments[o.argument_count++] = argv[at];
        } else {
            errmsg_set(error, SCAN_INVALID,
                       "%s is out of place; plugins are named with --plugins %s", argv[at],
                       argv[at]);
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
