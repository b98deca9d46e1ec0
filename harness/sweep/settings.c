#include "sweep/settings.h"

#include "problem/input.h"
#include "protocol/job.h"
#include "text/comma_list.h"
#include "text/suggest.h"

#include <stdlib.h>
#include <string.h>

/* The words that an option accepts. */
typedef struct vocabulary {
    const char *option;
    const char *(*name_of)(uint32_t);
    uint32_t count;
    uint32_t all; /* how many of them, the first, "all" stands for; 0: all */
} vocabulary;

#define WORDS_MOST 64 /* as many dtypes as a scan_op_entry has bits */
_Static_assert(SCAN_DTYPE_COUNT <= WORDS_MOST && SCAN_OP_COUNT <= WORDS_MOST, "too many words");

/* A comma-separated list of words; "all" stands for several of them. */
static scan_status parse_words(const vocabulary *v, const char *text, uint32_t *found,
                               size_t *found_count, errmsg *error)
{
    const char *names[WORDS_MOST];
    for (uint32_t i = 0; i < v->count; i++)
        names[i] = v->name_of(i);
    *found_count = 0;
    do { /* an empty word, also one after the last comma, is unknown */
        char word[32] = "";
        comma_list_next(&text, word, sizeof word);
        bool all = strcmp(word, "all") == 0;
        bool known = all;
        for (uint32_t i = 0; i < v->count; i++) {
            if (all ? v->all && i >= v->all : strcmp(word, names[i]) != 0)
                continue;
            known = true;
            bool there = false;
            for (size_t k = 0; k < *found_count; k++)
                there |= found[k] == i;
            if (!there)
                found[(*found_count)++] = i;
        }
        if (!known) {
            char near[SUGGEST_BYTES];
            return errmsg_set(error, SCAN_INVALID, "--%s: \"%s\" is unknown%s", v->option, word,
                              suggest_among(word, names, v->count, near, sizeof near));
        }
    } while (text[-1] == ',');
    return SCAN_OK;
}

static const char *kinds_word(uint32_t kind)
{
    return kind == SETTINGS_ANY_KIND ? JOB_ANY_KIND : kind_name(kind);
}

const char *settings_result_word(uint32_t word)
{
    return word == SETTINGS_SAME ? "same" : word == SETTINGS_WIDE ? "wide" : dtype_name(word);
}

/* Checks the name of a pattern; impulse may be followed by a colon and an index. */
static scan_status check_pattern(const char *text, errmsg *error)
{
    const char *names[INPUT_PATTERN_COUNT];
    char word[32];
    for (uint32_t i = 0; i < INPUT_PATTERN_COUNT; i++)
        names[i] = pattern_name(i);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, ":"), text);
    if (pattern_find(word) < 0) {
        char near[SUGGEST_BYTES];
        return errmsg_set(error, SCAN_INVALID, "--pattern: \"%s\" is unknown%s", word,
                          suggest_among(word, names, INPUT_PATTERN_COUNT, near, sizeof near));
    }
    const char *colon = strchr(text, ':');
    if (!colon)
        return SCAN_OK;
    size_t digits = strspn(colon + 1, "0123456789");
    if (digits > 0 && digits < 20 && !colon[1 + digits] && strcmp(word, "impulse") == 0)
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID,
                      "--pattern %s: only impulse takes an index, as impulse:1000", text);
}

/* Parses a range of values of at least `least`; errors name the option. */
static scan_status parse_range(const char *option, const char *text, range_rule rule, int64_t least,
                               range_list *list_p, errmsg *error)
{
    errmsg why;
    scan_status status = range_parse(text, rule, list_p, &why);
    if (status != SCAN_OK)
        return errmsg_set(error, status, "--%s: %s", option, why.text);
    for (size_t i = 0; i < list_p->count; i++)
        if (list_p->values[i] < least) {
            errmsg_set(error, SCAN_INVALID, "--%s: %lld is too small; the least is %lld", option,
                       (long long)list_p->values[i], (long long)least);
            range_free(list_p);
            return SCAN_INVALID;
        }
    return SCAN_OK;
}

/* An option that sets the values of one tunable; without its text it is not there. */
static scan_status parse_named(const char *option, const char *text, range_rule rule,
                               const char *tunable, settings *s, errmsg *error)
{
    if (!text)
        return SCAN_OK;
    tunable_setting *one = &s->sets[s->set_count];
    const scan_status status = parse_range(option, text, rule, 1, &one->values, error);
    if (status == SCAN_OK) {
        strcpy(one->name, tunable);
        s->set_count++;
    }
    return status;
}

/* --parts, of which no plugin takes more than SCAN_PARTS_MOST. */
static scan_status parse_parts(const char *text, settings *s, errmsg *error)
{
    const scan_status status =
        parse_named("parts", text, RANGE_STEP_ONE, SCAN_PARTS_TUNABLE, s, error);
    const range_list *list = status == SCAN_OK ? settings_find(s, SCAN_PARTS_TUNABLE) : NULL;
    for (size_t i = 0; list && i < list->count; i++)
        if (list->values[i] > SCAN_PARTS_MOST)
            return errmsg_set(error, SCAN_INVALID, "--parts: %lld is too large; the most is %d",
                              (long long)list->values[i], SCAN_PARTS_MOST);
    return status;
}

static scan_status parse_sets(const grid_options *o, settings *s, errmsg *error)
{
    scan_status given =
        parse_named("block-sizes", o->block_sizes, RANGE_DOUBLING, "block", s, error);
    if (given == SCAN_OK)
        given = parse_parts(o->parts, s, error);
    if (given != SCAN_OK)
        return given;
    for (size_t i = 0; i < o->sets.count; i++) {
        tunable_setting *one = &s->sets[s->set_count];
        size_t length = strcspn(o->sets.items[i], "=");
        if (length == 0 || length >= sizeof one->name)
            return errmsg_set(error, SCAN_INVALID, "--set %s: write NAME=LIST, as vt=1,3,7",
                              o->sets.items[i]);
        char name[sizeof one->name];
        snprintf(name, sizeof name, "%.*s", (int)length, o->sets.items[i]);
        if (settings_find(s, name))
            return errmsg_set(error, SCAN_INVALID,
                              "--set %s: %s is set twice; write all its values in one list",
                              o->sets.items[i], name);
        scan_status status =
            parse_range("set", o->sets.items[i] + length + 1,
                        strcmp(name, "block") == 0 ? RANGE_DOUBLING : RANGE_STEP_ONE, INT64_MIN,
                        &one->values, error);
        if (status != SCAN_OK)
            return status;
        strcpy(one->name, name);
        s->set_count++;
    }
    return SCAN_OK;
}

/* Is one of the ops defined on the type? */
static bool is_taken(const settings *s, uint32_t dtype)
{
    bool any = false;
    for (size_t k = 0; k < s->op_count; k++)
        any |= op_takes_dtype(s->ops[k], dtype);
    return any;
}

/* Is at least one op defined on at least one type? */
static bool combinable(const settings *s)
{
    bool any = false;
    for (size_t i = 0; i < s->type_count; i++)
        any |= is_taken(s, s->types[i]);
    return any;
}

/* Names the results that the chosen types have, after none of those asked for is among them. */
static scan_status refuse_results(const grid_options *o, const settings *s, errmsg *error)
{
    char exist[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < s->type_count && used < sizeof exist; i++) {
        const char *before = " -> ";
        if (!is_taken(s, s->types[i]))
            continue;
        used += (size_t)snprintf(exist + used, sizeof exist - used, "%s%s", used ? "; " : "",
                                 dtype_name(s->types[i]));
        for (uint32_t to = 0; to < SCAN_DTYPE_COUNT && used < sizeof exist; to++)
            if (dtype_widens(s->types[i], to)) {
                used += (size_t)snprintf(exist + used, sizeof exist - used, "%s%s", before,
                                         dtype_name(to));
                before = ",";
            }
        if (*before == ' ' && used < sizeof exist)
            used += (size_t)snprintf(exist + used, sizeof exist - used, " has none");
    }
    return errmsg_set(error, SCAN_INVALID,
                      "--results %s: no wider type of the same sort (signed, unsigned or float) as "
                      "--types %s; ask for one of these, or leave the option out: %s",
                      o->results, o->types, exist);
}

static bool has_results(const settings *s)
{
    bool any = false;
    for (size_t i = 0; i < s->type_count; i++) {
        uint32_t results[SETTINGS_RESULTS];
        any |= is_taken(s, s->types[i]) && settings_results(s, s->types[i], results) > 0;
    }
    return any;
}

/* Names the types on which the chosen operators are defined, after none of the chosen types
 * fits. */
static scan_status refuse_combination(const grid_options *o, const settings *s, errmsg *error)
{
    char takes[256] = "";
    size_t used = 0;
    for (size_t k = 0; k < s->op_count; k++) {
        const char *before = k ? "; " : "";
        used += (size_t)snprintf(takes + used, sizeof takes - used, "%s%s takes ", before,
                                 op_name(s->ops[k]));
        before = "";
        for (uint32_t d = 0; d < SCAN_DTYPE_COUNT && used < sizeof takes; d++)
            if (op_takes_dtype(s->ops[k], d)) {
                used += (size_t)snprintf(takes + used, sizeof takes - used, "%s%s", before,
                                         dtype_name(d));
                before = ",";
            }
        if (used >= sizeof takes)
            break;
    }
    return errmsg_set(error, SCAN_INVALID, "--ops %s is not defined on --types %s: %s", o->ops,
                      o->types, takes);
}

/* --elements, one number. */
static scan_status parse_elements(const char *text, uint64_t *elements_p, errmsg *error)
{
    range_list list;
    const scan_status status = parse_range("elements", text, RANGE_STEP_ONE, 1, &list, error);
    if (status != SCAN_OK)
        return status;
    const size_t count = list.count;
    *elements_p = (uint64_t)list.values[0];
    range_free(&list);
    return count == 1
               ? SCAN_OK
               : errmsg_set(error, SCAN_INVALID, "--elements %s: write one number, as 2^28", text);
}

/* --sizes, --rows, --inner and --elements. */
static scan_status parse_shape(const grid_options *o, settings *s, errmsg *error)
{
    scan_status status = SCAN_OK;
    if (o->rows && o->elements)
        return errmsg_set(error, SCAN_INVALID,
                          "--elements says how many rows there are; leave out --rows");
    if (o->sizes)
        status = parse_range("sizes", o->sizes, RANGE_DECADES, 0, &s->sizes, error);
    if (status == SCAN_OK)
        status = parse_range("rows", o->rows ? o->rows : "1", RANGE_DECADES, 1, &s->rows, error);
    if (status == SCAN_OK)
        status =
            parse_range("inner", o->inner ? o->inner : "1", RANGE_DECADES, 1, &s->inner, error);
    if (status == SCAN_OK && o->elements)
        status = parse_elements(o->elements, &s->elements, error);
    return status;
}

scan_status settings_parse(const grid_options *o, settings *settings_p, errmsg *error)
{
    static const vocabulary types = {"types", dtype_name, SCAN_DTYPE_COUNT, 0};
    static const vocabulary ops = {"ops", op_name, SCAN_OP_COUNT, 0};
    static const vocabulary kinds = {"kinds", kinds_word, SCAN_KIND_COUNT + 1, SCAN_KIND_COUNT};
    static const vocabulary results = {"results", settings_result_word, SETTINGS_RESULT_WORDS, 0};
    static const vocabulary caches = {"cache", cache_state_word, CACHE_STATE_COUNT, 0};
    settings s = {.pattern = o->pattern, .seed = o->seed};
    scan_status status = parse_shape(o, &s, error);
    if (status == SCAN_OK)
        status = parse_words(&types, o->types, s.types, &s.type_count, error);
    if (status == SCAN_OK)
        status =
            parse_words(&results, o->results ? o->results : settings_result_word(SETTINGS_SAME),
                        s.results, &s.result_count, error);
    if (status == SCAN_OK)
        status = parse_words(&ops, o->ops, s.ops, &s.op_count, error);
    if (status == SCAN_OK)
        status = parse_words(&kinds, o->kinds, s.kinds, &s.kind_count, error);
    if (status == SCAN_OK)
        status = parse_words(&caches, o->cache ? o->cache : cache_state_word(CACHE_HOT), s.caches,
                             &s.cache_count, error);
    if (status == SCAN_OK)
        status = parse_sets(o, &s, error);
    if (status == SCAN_OK && o->pattern)
        status = check_pattern(o->pattern, error);
    if (status == SCAN_OK && !combinable(&s))
        status = refuse_combination(o, &s, error);
    if (status == SCAN_OK && !has_results(&s))
        status = refuse_results(o, &s, error);
    if (status == SCAN_OK)
        *settings_p = s;
    else
        settings_free(&s);
    return status;
}

void settings_free(settings *s)
{
    range_free(&s->sizes);
    range_free(&s->rows);
    range_free(&s->inner);
    for (size_t i = 0; i < s->set_count; i++)
        range_free(&s->sets[i].values);
    *s = (settings){0};
}

size_t settings_rows(const settings *s)
{
    return s->elements ? 1 : s->rows.count;
}

uint64_t settings_rows_at(const settings *s, size_t i, uint64_t n, uint64_t inner)
{
    uint64_t each;
    if (!s->elements)
        return (uint64_t)s->rows.values[i];
    if (n == 0 || __builtin_mul_overflow(n, inner, &each) || each > s->elements)
        return 1;
    return s->elements / each + (s->elements % each > each / 2 ? 1 : 0);
}

size_t settings_results(const settings *s, uint32_t dtype, uint32_t results[SETTINGS_RESULTS])
{
    size_t count = 0;
    for (size_t i = 0; i < s->result_count; i++) {
        const uint32_t word = s->results[i];
        const bool same = word == SETTINGS_SAME || word == dtype;
        const uint32_t result = same                    ? 0
                                : word == SETTINGS_WIDE ? dtype_wide_result(dtype)
                                                        : RESULT_OF(word);
        bool there = !same && (result == 0 || !dtype_widens(dtype, result - 1));
        for (size_t k = 0; k < count; k++)
            there |= results[k] == result;
        if (!there)
            results[count++] = result;
    }
    return count;
}

bool settings_any_kind(const settings *s)
{
    bool any = false;
    for (size_t i = 0; i < s->kind_count; i++)
        any |= s->kinds[i] == SETTINGS_ANY_KIND;
    return any;
}

const range_list *settings_find(const settings *s, const char *name)
{
    for (size_t i = 0; i < s->set_count; i++)
        if (strcmp(s->sets[i].name, name) == 0)
            return &s->sets[i].values;
    return NULL;
}
