#include "cli/options.h"

#include "cli/option_table.h"
#include "text/comma_list.h"
#include "text/range.h"
#include "text/suggest.h"

#include <getopt.h>
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

static scan_status store_seconds(double *seconds_p, const option_entry *entry, const char *value,
                                 errmsg *error)
{
    char *end;
    const double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds > 0 && seconds < 1e9))
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a number above 0 and below 1e9",
                          entry->name, value);
    *seconds_p = seconds;
    return SCAN_OK;
}

static scan_status store_percent(double *percent_p, const option_entry *entry, const char *value,
                                 errmsg *error)
{
    char *end;
    const double percent = strtod(value, &end);
    if (end == value || (*end && strcmp(end, "%") != 0) || !(percent > 0 && percent <= 100))
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a percentage above 0, up to 100",
                          entry->name, value);
    *percent_p = percent;
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
        return store_seconds(member, entry, value, error);
    case OPTION_PERCENT:
        return store_percent(member, entry, value, error);
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

/* What getopt_long returns for the long option option_table[i] is i + this, which no
 * letter is. */
enum { LONG_OPTION = 256 };

/* One element of the command line, as getopt_long took it apart. */
typedef struct element {
    const char *text;          /* as it was written: "--sizes=10", "-qv" */
    const option_entry *entry; /* NULL: an operand, or an option that is not known */
    char letter;               /* of an unknown option, or '\0' */
    bool is_operand;
    const char *value; /* or NULL */
    enum { COMPLETE, NEEDS_VALUE, TAKES_NO_VALUE } fault;
} element;

/* Two options of different commands may share a letter: that of this command is meant. */
static const option_entry *find_letter(verb v, int letter)
{
    const option_entry *found = NULL;
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].letter == letter && (!found || (option_table[i].verbs & (int)v) != 0))
            found = &option_table[i];
    return found;
}

static const option_entry *find_code(verb v, int code)
{
    return code >= LONG_OPTION ? &option_table[code - LONG_OPTION] : find_letter(v, code);
}

/* Is there an option of that name that this command takes, although it does not take this one? */
static bool is_hidden(verb v, const option_entry *entry)
{
    bool found = false;
    for (size_t i = 0; i < option_count; i++)
        found |= (option_table[i].verbs & (int)v) && strcmp(option_table[i].name, entry->name) == 0;
    return found && !(entry->verbs & (int)v);
}

/* "-:" and the letters: operands come in their place, whatever POSIXLY_CORRECT says, and a
 * missing value is told from an unknown option. */
static void list_letters(char letters[2 * OPTIONS_MOST + 3])
{
    *letters++ = '-';
    *letters++ = ':';
    for (size_t i = 0; i < option_count; i++) {
        if (!option_table[i].letter)
            continue;
        *letters++ = option_table[i].letter;
        if (option_table[i].argument)
            *letters++ = ':';
    }
    *letters = '\0';
}

static void list_names(verb v, struct option names[OPTIONS_MOST + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < option_count; i++)
        if (!is_hidden(v, &option_table[i]))
            names[count++] =
                (struct option){.name = option_table[i].name,
                                .has_arg = option_table[i].argument              ? required_argument
                                           : option_table[i].type == OPTION_FORM ? optional_argument
                                                                                 : no_argument,
                                .val = LONG_OPTION + (int)i};
    names[count] = (struct option){0};
}

static element take_apart(verb v, const char *text, int code, int about, const char *value)
{
    element e = {.text = text, .value = value};
    if (code == 1) {
        e = (element){.text = value, .is_operand = true};
    } else if (code == ':') {
        e.entry = find_code(v, about);
        e.fault = NEEDS_VALUE;
    } else if (code != '?') {
        e.entry = find_code(v, code);
    } else if (about >= LONG_OPTION) {
        e.entry = find_code(v, about);
        e.fault = TAKES_NO_VALUE;
    } else {
        e.letter = (char)about;
    }
    return e;
}

/* The options of a verb whose names begin so, "--a, --b and --c"; how many they are. */
static size_t list_beginning(verb v, const char *word, char *text, size_t size)
{
    size_t count = 0, used = 0, listed = 0;
    for (size_t i = 0; i < option_count; i++)
        count += (option_table[i].verbs & (int)v) &&
                 strncmp(option_table[i].name, word, strlen(word)) == 0;
    *text = '\0';
    for (size_t i = 0; i < option_count && used < size; i++) {
        if (!(option_table[i].verbs & (int)v) ||
            strncmp(option_table[i].name, word, strlen(word)) != 0)
            continue;
        listed++;
        const char *before = listed == 1 ? "" : listed == count ? " and " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s--%s", before, option_table[i].name);
    }
    return count;
}

/* An abbreviation too: it would mean something else once there is another option that begins
 * so. */
static scan_status unknown_name(const options *o, const char *written, errmsg *error)
{
    const char *names[OPTIONS_MOST];
    char word[64], candidates[512], suggestion[SUGGEST_BYTES];
    size_t count = 0;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(written, "="), written);
    const char *name = word + strspn(word, "-");
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].verbs & (int)o->verb)
            names[count++] = option_table[i].name;
    const size_t beginning =
        *name ? list_beginning(o->verb, name, candidates, sizeof candidates) : 0;
    if (beginning > 1)
        return errmsg_set(error, SCAN_INVALID, "%s is ambiguous: %s begin so; write the whole name",
                          word, candidates);
    const char *near = suggest_nearest(name, names, count);
    if (beginning == 1)
        snprintf(suggestion, sizeof suggestion, "; did you mean %.200s?", candidates);
    else if (near)
        snprintf(suggestion, sizeof suggestion, "; did you mean --%s?", near);
    else
        snprintf(suggestion, sizeof suggestion, "; see scanbench --help");
    return errmsg_set(error, SCAN_INVALID, "unknown option %s%s", word, suggestion);
}

/* Alone, or the whole of a group where it is no character of its own. */
static scan_status unknown_letter(const element *e, errmsg *error)
{
    if (e->letter >= ' ' && e->letter <= '~')
        return errmsg_set(error, SCAN_INVALID, "unknown option -%c; see scanbench --help",
                          e->letter);
    return errmsg_set(error, SCAN_INVALID, "unknown option %s; see scanbench --help", e->text);
}

static bool is_verb(const char *word)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(word, verb_table[i].name) == 0)
            return true;
    return false;
}

static scan_status take_operand(options *o, const char *word, errmsg *error)
{
    if (o->verb & (VERB_VALIDATE | VERB_NEW | VERB_COMPARE | VERB_TUNE | VERB_REPORT)) {
        if (o->argument_count == OPTIONS_ARGUMENTS)
            return errmsg_set(error, SCAN_INVALID, "%s: there are more than %d arguments", word,
                              OPTIONS_ARGUMENTS);
        o->arguments[o->argument_count++] = word;
        return SCAN_OK;
    }
    if (is_verb(word))
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

static scan_status take_element(options *o, const element *e, given_values *given, errmsg *error)
{
    const option_entry *entry = e->entry;
    if (e->is_operand)
        return take_operand(o, e->text, error);
    if (e->letter)
        return unknown_letter(e, error);
    const bool is_long = e->text[0] == '-' && e->text[1] == '-';
    if (!entry || (is_long && strcspn(e->text + 2, "=") != strlen(entry->name)))
        return unknown_name(o, e->text, error);
    if (!(entry->verbs & (int)o->verb))
        return errmsg_set(error, SCAN_INVALID,
                          "--%s is not an option of this command; see scanbench --help",
                          entry->name);
    if (e->fault == NEEDS_VALUE)
        return errmsg_set(error, SCAN_INVALID, "--%s needs a value: --%s %s", entry->name,
                          entry->name, entry->argument);
    if (e->fault == TAKES_NO_VALUE)
        return errmsg_set(error, SCAN_INVALID, "--%s takes no value", entry->name);
    if (says_how_to_measure(entry))
        o->measures = entry->name;
    const scan_status status = note_value(given, entry, e->value, error);
    const char *value = e->value || entry->type == OPTION_FORM ? e->value : "";
    return status == SCAN_OK ? store_value(o, entry, value, error) : status;
}

/*
 * Takes every element. getopt_long keeps its place in globals; this function alone touches
 * them, and starts afresh. `argv` is not changed: operands are taken where they stand.
 */
static scan_status take_elements(options *o, int argc, char *const *argv, errmsg *error)
{
    char letters[2 * OPTIONS_MOST + 3];
    struct option names[OPTIONS_MOST + 1];
    given_values given = {.any = {false}};
    list_letters(letters);
    list_names(o->verb, names);
    scan_status status = SCAN_OK;
    opterr = 0;
    optind = 0; /* begin anew, even within a group of letters */
    while (status == SCAN_OK) {
        const int at = optind > 0 ? optind : 1;
        optarg = NULL;
        const int code = getopt_long(argc, argv, letters, names, NULL);
        if (code == -1)
            break;
        const element e = take_apart(o->verb, argv[at], code, optopt, optarg);
        status = take_element(o, &e, &given, error);
    }
    for (int i = optind; i < argc && status == SCAN_OK; i++) { /* behind "--" */
        const element e = {.text = argv[i], .is_operand = true};
        status = take_element(o, &e, &given, error);
    }
    return status;
}

/* The verb, if the first argument is one; *used_p is then 1. */
static scan_status take_verb(options *o, int argc, char *const *argv, int *used_p, errmsg *error)
{
    const char *names[VERBS_MOST];
    if (argc < 2 || argv[1][0] == '-')
        return SCAN_OK;
    for (size_t i = 0; i < verb_count; i++) {
        names[i] = verb_table[i].name;
        if (strcmp(argv[1], names[i]) == 0) {
            o->verb = verb_table[i].verb;
            *used_p = 1;
            return SCAN_OK;
        }
    }
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
    if (!g->ops)
        g->ops = proof ? "all" : "sum";
    if (!g->kinds)
        g->kinds = proof ? "all" : "exclusive";
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
                 NEW_OPTION_MAP(DEFAULT) DISPLAY_OPTION_MAP(DEFAULT)};
    int used = 0;
    scan_status status = take_verb(&o, argc, argv, &used, error);
    if (status == SCAN_OK && argc > 0) /* the verb stands where getopt expects the program */
        status = take_elements(&o, argc - used, argv + used, error);
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
