#include "cli/options.h"

#include "cli/option_table.h"
#include "text/comma_list.h"
#include "text/range.h"
#include "text/suggest.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the value of one option: checked, and stored where the table says ---- */

enum { COUNT_MOST = 1000000, WORDS_MOST = 32 };

/* Parses a whole number, with the suffixes of sizes. */
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

static scan_status store_form(help_form *form_p, const option_entry *entry, const char *value,
                              errmsg *error)
{
    static const char *const forms[] = {[HELP_MAN] = "man",
                                        [HELP_BASH] = "bash",
                                        [HELP_ZSH] = "zsh",
                                        [HELP_FISH] = "fish",
                                        [HELP_COLUMNS] = "columns"};
    if (!value) {
        *form_p = HELP_TEXT;
        return SCAN_OK;
    }
    for (size_t i = HELP_MAN; i <= HELP_COLUMNS; i++)
        if (strcmp(value, forms[i]) == 0) {
            *form_p = (help_form)i;
            return SCAN_OK;
        }
    return errmsg_set(error, SCAN_INVALID, "--%s=%s: write one of %s", entry->name, value,
                      entry->words);
}

/* Is it one of the words of the entry? */
static scan_status check_word(const option_entry *entry, const char *value, errmsg *error)
{
    char words[256], suggestion[SUGGEST_BYTES];
    const char *known[WORDS_MOST];
    size_t count = 0;
    snprintf(words, sizeof words, "%s", entry->words);
    for (char *rest = words, *word; count < WORDS_MOST && (word = strsep(&rest, " "));) {
        if (strcmp(word, value) == 0)
            return SCAN_OK;
        known[count++] = word;
    }
    return errmsg_set(error, SCAN_INVALID, "--%s: \"%s\" is unknown%s", entry->name, value,
                      suggest_among(value, known, count, suggestion, sizeof suggestion));
}

/* Checks one word or, if the argument is a list, several. */
static scan_status check_words(const option_entry *entry, const char *value, errmsg *error)
{
    char word[64] = "";
    if (strcmp(entry->argument, "LIST") != 0)
        return check_word(entry, value, error);
    scan_status status = *value ? SCAN_OK : check_word(entry, value, error);
    while (status == SCAN_OK && comma_list_next(&value, word, sizeof word))
        status = check_word(entry, word, error);
    return status;
}

static scan_status store_set(option_sets *sets, const char *value, errmsg *error)
{
    if (sets->count == OPTIONS_SETS || !strchr(value, '='))
        return errmsg_set(error, SCAN_INVALID,
                          "--set %s: write NAME=LIST, as vt=1,3,7, at most %d times", value,
                          OPTIONS_SETS);
    sets->items[sets->count++] = value;
    return SCAN_OK;
}

static scan_status store_count(uint32_t *count_p, const option_entry *entry, const char *value,
                               errmsg *error)
{
    uint64_t number;
    if (!read_number(value, &number) || number == 0 || number > COUNT_MOST)
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a whole number from 1 to %d",
                          entry->name, value, COUNT_MOST);
    *count_p = (uint32_t)number;
    return SCAN_OK;
}

/* A number above 0, up to `most`, and behind it perhaps its unit. */
static scan_status store_real(double *value_p, const option_entry *entry, const char *value,
                              double most, const char *unit, const char *what, errmsg *error)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || (*end && strcmp(end, unit) != 0) || !(number > 0 && number <= most))
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a %s", entry->name, value, what);
    *value_p = number;
    return SCAN_OK;
}

/* value: "" for a flag, NULL for --help without a value. SCAN_OK, or SCAN_INVALID and what is wrong
 * with the value. */
static scan_status store_value(options *o, const option_entry *entry, const char *value,
                               errmsg *error)
{
    void *member = (char *)o + entry->offset;
    scan_status status = SCAN_OK;
    switch (entry->type) {
    case OPTION_FLAG:
        *(OPTION_FLAG_VALUE *)member = true;
        break;
    case OPTION_WORD:
        status = check_words(entry, value, error);
        *(OPTION_WORD_VALUE *)member = value;
        break;
    case OPTION_TEXT:
        *(OPTION_TEXT_VALUE *)member = value;
        break;
    case OPTION_FORM:
        return store_form(member, entry, value, error);
    case OPTION_SET:
        return store_set(member, value, error);
    case OPTION_COUNT:
        return store_count(member, entry, value, error);
    case OPTION_SECONDS:
        return store_real(member, entry, value, 1e9, "", "number above 0, up to 1e9", error);
    case OPTION_PERCENT:
        return store_real(member, entry, value, 100, "%", "percentage above 0, up to 100", error);
    case OPTION_U64:
        if (!read_number(value, member))
            status = errmsg_set(
                error, SCAN_INVALID,
                "--%s %s: not a whole number of 0 or more and below 2^63, such as 1000 or 8Gi",
                entry->name, value);
        break;
    }
    return status;
}

/* ---- the command line ---- */

/* An abbreviation too: it would mean something else once there is another option that begins
 * so. */
static scan_status unknown_name(const options *o, const char *written, errmsg *error)
{
    const char *names[OPTIONS_MOST], *begin_so[OPTIONS_MOST];
    char word[64], candidates[512], suggestion[SUGGEST_BYTES];
    size_t count = 0, beginning = 0;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(written, "="), written);
    const char *name = word + strspn(word, "-");
    for (size_t i = 0; i < option_count; i++) {
        if (!(option_table[i].verbs & (int)o->verb))
            continue;
        names[count++] = option_table[i].name;
        if (*name && strncmp(option_table[i].name, name, strlen(name)) == 0)
            begin_so[beginning++] = option_table[i].name;
    }
    words_join(begin_so, beginning, ", --", " and --", candidates, sizeof candidates);
    if (beginning > 1)
        return errmsg_set(error, SCAN_INVALID,
                          "%s is ambiguous: --%s begin so; write the whole name", word, candidates);
    const char *near = suggest_nearest(name, names, count);
    if (beginning == 1)
        snprintf(suggestion, sizeof suggestion, "; did you mean --%.200s?", candidates);
    else if (near)
        snprintf(suggestion, sizeof suggestion, "; did you mean --%s?", near);
    else
        snprintf(suggestion, sizeof suggestion, "; see scanbench --help");
    return errmsg_set(error, SCAN_INVALID, "unknown option %s%s", word, suggestion);
}

/* A letter alone, or the whole of its group where it is no character of its own. */
static scan_status unknown_letter(char letter, const char *group, errmsg *error)
{
    if (letter >= ' ' && letter <= '~')
        return errmsg_set(error, SCAN_INVALID, "unknown option -%c; see scanbench --help", letter);
    return errmsg_set(error, SCAN_INVALID, "unknown option %s; see scanbench --help", group);
}

static scan_status take_operand(options *o, const char *word, errmsg *error)
{
    if (o->verb &
        (VERB_VALIDATE | VERB_NEW | VERB_COMPARE | VERB_TUNE | VERB_REPORT | VERB_SUBMIT)) {
        if (o->argument_count == OPTIONS_ARGUMENTS)
            return errmsg_set(error, SCAN_INVALID, "%s: there are more than %d arguments", word,
                              OPTIONS_ARGUMENTS);
        o->arguments[o->argument_count++] = word;
        return SCAN_OK;
    }
    if (verb_entry_find(word))
        return errmsg_set(error, SCAN_INVALID,
                          "%s is out of place; the command comes first: scanbench %s ...", word,
                          word);
    return errmsg_set(error, SCAN_INVALID,
                      "%s is out of place; plugins are named with --plugins %s", word, word);
}

/* What compare takes for --in-run alone. It writes its outcome as JSON in either way. */
static bool says_how_to_measure(const option_entry *entry)
{
    return entry->verbs & VERB_COMPARE && entry->verbs & VERB_TUNE && entry->verbs != ALL_VERBS &&
           entry->offset != offsetof(options, output.json);
}

/* The values that were given, by option. */
typedef struct given_values {
    bool any[OPTIONS_MOST];
    const char *values[OPTIONS_MOST]; /* NULL: without one */
} given_values;

/* An option with two values is refused: a run with the wrong one may take an hour. */
static scan_status note_value(given_values *given, const option_entry *entry, const char *value,
                              errmsg *error)
{
    const size_t at = (size_t)(entry - option_table);
    const char *before = given->values[at] ? given->values[at] : "", *now = value ? value : "";
    if (given->any[at] && entry->type != OPTION_SET && strcmp(before, now) != 0)
        return errmsg_set(error, SCAN_INVALID,
                          "--%s is given twice, as '%.200s' and as '%.200s'; leave one out",
                          entry->name, before, now);
    given->any[at] = true;
    given->values[at] = value;
    return SCAN_OK;
}

/* value: NULL if there is none. */
static scan_status take_option(options *o, const option_entry *entry, const char *value,
                               given_values *given, errmsg *error)
{
    if (!(entry->verbs & (int)o->verb))
        return errmsg_set(error, SCAN_INVALID,
                          "--%s is not an option of this command; see scanbench --help",
                          entry->name);
    if (entry->argument && !value)
        return errmsg_set(error, SCAN_INVALID, "--%s needs a value: --%s %s", entry->name,
                          entry->name, entry->argument);
    if (!entry->argument && value && entry->type != OPTION_FORM)
        return errmsg_set(error, SCAN_INVALID, "--%s takes no value", entry->name);
    if (says_how_to_measure(entry))
        o->measures = entry->name;
    const scan_status status = note_value(given, entry, value, error);
    const bool empty = !value && entry->type != OPTION_FORM;
    return status == SCAN_OK ? store_value(o, entry, empty ? "" : value, error) : status;
}

/* The arguments that are not taken yet. */
typedef struct argument_list {
    char *const *next, *const *end;
} argument_list;

/* NULL behind the last. */
static const char *take_next(argument_list *l)
{
    return l->next < l->end ? *l->next++ : NULL;
}

/* "--name", "--name=value", or "--name" with the value in the next argument. */
static scan_status take_long(options *o, const char *text, argument_list *more, given_values *given,
                             errmsg *error)
{
    const char *name = text + 2, *equals = strchr(name, '=');
    const option_entry *entry = option_entry_find(o->verb, 0, name);
    if (!entry)
        return unknown_name(o, text, error);
    const char *value = equals ? equals + 1 : entry->argument ? take_next(more) : NULL;
    return take_option(o, entry, value, given, error);
}

/* Letters behind one dash. The value of one is the rest, or else the next argument. */
static scan_status take_letters(options *o, const char *text, argument_list *more,
                                given_values *given, errmsg *error)
{
    scan_status status = SCAN_OK;
    for (const char *at = text + 1; *at && status == SCAN_OK; at++) {
        const option_entry *entry = option_entry_find(o->verb, *at, NULL);
        const char *value = NULL;
        if (!entry)
            return unknown_letter(*at, text, error);
        if (entry->argument) {
            value = at[1] ? at + 1 : take_next(more);
            at += strlen(at) - 1;
        }
        status = take_option(o, entry, value, given, error);
    }
    return status;
}

static scan_status take_arguments(options *o, argument_list l, errmsg *error)
{
    given_values given = {.any = {false}};
    scan_status status = SCAN_OK;
    bool only_operands = false; /* behind "--" */
    for (const char *text; status == SCAN_OK && (text = take_next(&l));) {
        if (only_operands || *text != '-' || !text[1])
            status = take_operand(o, text, error);
        else if (text[1] != '-')
            status = take_letters(o, text, &l, &given, error);
        else if (text[2])
            status = take_long(o, text, &l, &given, error);
        else
            only_operands = true;
    }
    return status;
}

/* The verb, if the first argument is one; *used_p is then 1. */
static scan_status take_verb(options *o, int argc, char *const *argv, int *used_p, errmsg *error)
{
    const char *names[VERBS_MOST];
    if (argc < 2 || argv[1][0] == '-')
        return SCAN_OK;
    const verb_entry *found = verb_entry_find(argv[1]);
    if (found) {
        o->verb = found->verb;
        *used_p = 1;
        return SCAN_OK;
    }
    for (size_t i = 0; i < verb_count; i++)
        names[i] = verb_table[i].name;
    const char *near = suggest_nearest(argv[1], names, verb_count);
    return errmsg_set(error, SCAN_INVALID, "unknown command %s%s%s; see scanbench --help", argv[1],
                      near ? "; did you mean " : "", near ? near : "");
}

/* What holds where the command line has not said otherwise, and depends on the verb. */
static void complete(options *o)
{
    const bool proof = o->verb == VERB_VALIDATE;
    grid_options *g = &o->grid;
    if (!proof && !g->sizes)
        g->sizes = "1e3..1e8";
    if (!g->types)
        g->types = proof ? "all" : "i32";
    if (!g->results)
        g->results = proof && !g->sizes ? "all" : "same";
    if (!g->ops)
        g->ops = proof ? "all" : "sum";
    if (!g->kinds)
        g->kinds = proof ? "all" : "exclusive";
    if (o->verb == VERB_COMPARE && !(o->compare.threshold_pct > 0))
        o->compare.threshold_pct = 3;
    if (o->measuring.max_samples < o->measuring.min_samples)
        o->measuring.max_samples = o->measuring.min_samples;
}

#define DEFAULT(name, letter, type, member, verbs, value, ...) .member = value,

scan_status options_parse(int argc, char *const *argv, options *options_p, errmsg *error)
{
    options o = {.program = argc > 0 ? argv[0] : "scanbench",
                 .verb = VERB_RUN,
                 .plugins = {PLUGIN_OPTION_MAP(DEFAULT)},
                 .grid = {GRID_OPTION_MAP(DEFAULT)},
                 .measuring = {MEASURING_OPTION_MAP(DEFAULT)},
                 .output = {OUTPUT_OPTION_MAP(DEFAULT)},
                 .proof = {PROOF_OPTION_MAP(DEFAULT)},
                 .compare = {COMPARE_OPTION_MAP(DEFAULT)},
                 .report = {REPORT_OPTION_MAP(DEFAULT)},
                 .submit = {SUBMIT_OPTION_MAP(DEFAULT)},
                 NEW_OPTION_MAP(DEFAULT) DISPLAY_OPTION_MAP(DEFAULT)};
    int used = 0;
    scan_status status = take_verb(&o, argc, argv, &used, error);
    if (status == SCAN_OK && argc > 0)
        status = take_arguments(&o, (argument_list){argv + used + 1, argv + argc}, error);
    if (status != SCAN_OK)
        return status;
    if (o.verb == VERB_COMPARE && o.measures && !o.compare.in_run)
        return errmsg_set(error, SCAN_INVALID,
                          "--%s says how to measure; compare measures with --in-run only",
                          o.measures);
    complete(&o);
    *options_p = o;
    return SCAN_OK;
}
