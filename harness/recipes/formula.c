#include "recipes/formula.h"

#include "problem/names.h"
#include "text/number.h"
#include "text/suggest.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A formula being read. */
typedef struct reading {
    const formula_source *source;
    size_t at; /* of the text */
    formula *f;
    unsigned depth;     /* of parentheses */
    scan_status status; /* the first failure */
    errmsg *error;
} reading;

#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+^*?[]:"

const char *formula_place(const formula_source *source, size_t at, char *text, size_t size)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = source->text[i] == '\n' ? 1 : column + 1;
        line += source->text[i] == '\n';
    }
    snprintf(text, size, "%.400s, line %zu, column %zu", source->name, line, column);
    return text;
}

bool formula_is_time(const formula *f)
{
    int dimension = 0;
    for (size_t i = 0; i < f->count; i++)
        dimension += f->selectors[i].divides ? -1 : 1;
    return dimension == 1;
}

const char *formula_compare_word(formula_compare compare)
{
    static const char *const words[] = {"<", "<=", ">", ">="};
    return words[compare];
}

const char *formula_number(const char *text, char digits[FORMULA_NUMBER_BYTES])
{
    number n;
    *digits = '\0';
    if (number_parse(text, &n, NULL) == SCAN_OK)
        snprintf(digits, FORMULA_NUMBER_BYTES, "%" PRId64, n.value);
    return digits;
}

/* What stands there, for a message: "end of the formula", or the word or character. */
static const char *found_at(const reading *r, size_t at, char *text, size_t size)
{
    const char *here = r->source->text + at;
    size_t length = strspn(here, WORD_CHARACTERS);
    if (at >= r->source->end)
        snprintf(text, size, "the end of the formula");
    else if (at + length > r->source->end)
        length = r->source->end - at;
    if (at < r->source->end)
        snprintf(text, size, "\"%.*s\"", (int)(length > 40 ? 40 : length > 0 ? length : 1), here);
    return text;
}

static void refuse(reading *r, size_t at, const char *expected)
{
    char place[512], found[64];
    if (r->status != SCAN_OK)
        return;
    r->status = errmsg_set(r->error, SCAN_INVALID, "%s: found %s; %s",
                           formula_place(r->source, at, place, sizeof place),
                           found_at(r, at, found, sizeof found), expected);
}

static void skip_space(reading *r)
{
    while (r->at < r->source->end && isspace((unsigned char)r->source->text[r->at]))
        r->at++;
}

/* The next character that is not a blank; '\0' at the end. */
static char peek(reading *r)
{
    skip_space(r);
    if (r->at < r->source->end)
        return r->source->text[r->at];
    return '\0';
}

static bool take_character(reading *r, char c)
{
    if (r->status != SCAN_OK || peek(r) != c || c == '\0')
        return false;
    r->at++;
    return true;
}

/* A word of these characters; "" if none is there. */
static void take_word(reading *r, const char *characters, char word[FORMULA_WORD_BYTES])
{
    skip_space(r);
    const size_t begin = r->at;
    while (r->at < r->source->end && r->source->text[r->at] &&
           strchr(characters, r->source->text[r->at]))
        r->at++;
    if (r->at - begin >= FORMULA_WORD_BYTES)
        refuse(r, begin, "a word has at most 63 characters");
    snprintf(word, FORMULA_WORD_BYTES, "%.*s", (int)(r->at - begin), r->source->text + begin);
}

/* Takes the keyword if it is there. */
static bool take_keyword(reading *r, const char *keyword)
{
    char word[FORMULA_WORD_BYTES];
    skip_space(r);
    const size_t begin = r->at;
    if (r->status != SCAN_OK)
        return false;
    take_word(r, "abcdefghijklmnopqrstuvwxyz", word);
    if (strcmp(word, keyword) == 0)
        return true;
    r->at = begin;
    return false;
}

static bool expect_keyword(reading *r, const char *keyword)
{
    char expected[96];
    if (take_keyword(r, keyword))
        return true;
    skip_space(r);
    snprintf(expected, sizeof expected, "expected \"%s\"; write \"from n = 1e6 on: ...\"", keyword);
    refuse(r, r->at, expected);
    return false;
}

/* A size, as "1e6"; a colon or comma behind it is none of its characters. */
static void take_size(reading *r)
{
    char word[FORMULA_WORD_BYTES], digits[FORMULA_NUMBER_BYTES];
    skip_space(r);
    const size_t begin = r->at;
    take_word(r, "0123456789.eE+^kMGi", word);
    if (!*formula_number(word, digits) || *digits == '-') {
        refuse(r, begin, "expected a number of elements, as 1e6 or 2^20");
        return;
    }
    r->f->from_n = strtoull(digits, NULL, 10);
}

static void take_from(reading *r)
{
    if (!expect_keyword(r, "n"))
        return;
    if (!take_character(r, '='))
        refuse(r, (peek(r), r->at), "expected \"=\"; write \"from n = 1e6 on: ...\"");
    take_size(r);
    expect_keyword(r, "on");
    for (size_t i = 0; i < r->f->loop_count; i++)
        if (strcmp(r->f->loops[i], "n") == 0)
            return;
    if (r->f->loop_count < FORMULA_LOOPS)
        strcpy(r->f->loops[r->f->loop_count++], "n");
}

static void take_name(reading *r)
{
    char word[FORMULA_WORD_BYTES];
    skip_space(r);
    const size_t begin = r->at;
    take_word(r, "abcdefghijklmnopqrstuvwxyz_", word);
    if (!*word || r->f->loop_count == FORMULA_LOOPS)
        refuse(r, begin,
               *word ? "there are at most 4 names" : "expected a name, as in \"for each n: ...\"");
    else if (r->status == SCAN_OK)
        strcpy(r->f->loops[r->f->loop_count++], word);
}

/* The loops before the colon, if there are any. */
static void take_loops(reading *r)
{
    bool any = false;
    do {
        if (take_keyword(r, "from")) {
            take_from(r);
        } else if (take_keyword(r, "for")) {
            if (!take_keyword(r, "each"))
                refuse(r, (peek(r), r->at), "expected \"each\"; write \"for each n: ...\"");
            take_name(r);
        } else if (any) {
            take_name(r);
        } else {
            return;
        }
        any = true;
    } while (r->status == SCAN_OK && take_character(r, ','));
    if (!take_character(r, ':'))
        refuse(r, (peek(r), r->at), "expected \":\" behind the loop, as in \"for each n: ...\"");
}

/* Refuses a value at `begin` that no row can have: of a column with few words, none of them. */
static void refuse_unknown(reading *r, size_t begin, const formula_condition *c)
{
    static const struct {
        const char *name;
        int (*find)(const char *word);
        const char *(*word)(uint32_t value);
    } columns[] = {{"dtype", dtype_find, dtype_name},
                   {"op", op_find, op_name},
                   {"kind", kind_find, kind_name},
                   {"role", role_find, role_name}};
    enum { MOST_WORDS = 32 };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (strcmp(c->name, columns[i].name) != 0 || strpbrk(c->value, "*?[") ||
            columns[i].find(c->value) >= 0)
            continue;
        char expected[256];
        size_t used = (size_t)snprintf(expected, sizeof expected, "%s is one of", c->name);
        for (uint32_t v = 0; v < MOST_WORDS && used < sizeof expected; v++)
            if (columns[i].find(columns[i].word(v)) >= 0)
                used += (size_t)snprintf(expected + used, sizeof expected - used, " %s",
                                         columns[i].word(v));
        refuse(r, begin, expected);
    }
}

static void take_condition(reading *r, formula_selector *s)
{
    char word[FORMULA_WORD_BYTES];
    skip_space(r);
    const size_t begin = r->at;
    take_word(r, WORD_CHARACTERS, word);
    if (!*word || s->count == FORMULA_CONDITIONS) {
        char most[40];
        snprintf(most, sizeof most, "there are at most %d conditions", FORMULA_CONDITIONS);
        refuse(r, begin, *word ? most : "expected a plugin or a condition, as block=256");
        return;
    }
    formula_condition *c = &s->conditions[s->count++];
    const bool negated = take_character(r, '!');
    if (take_character(r, '=')) {
        c->negated = negated;
        strcpy(c->name, word);
        skip_space(r);
        const size_t value = r->at;
        take_word(r, WORD_CHARACTERS, c->value);
        if (!*c->value)
            refuse(r, value, "expected a value, as in block=256");
        refuse_unknown(r, value, c);
        return;
    }
    if (negated)
        refuse(r, r->at, "expected \"=\" behind \"!\", as in block!=256");
    strcpy(c->name, "plugin");
    strcpy(c->value, word);
}

static void take_selector(reading *r, bool is_best, bool divides, size_t begin)
{
    if (r->f->count == FORMULA_FACTORS) {
        refuse(r, begin, "there are at most 8 times in a formula");
        return;
    }
    formula_selector *s = &r->f->selectors[r->f->count++];
    *s = (formula_selector){.is_best = is_best, .divides = divides};
    if (!take_character(r, '(')) {
        refuse(r, (peek(r), r->at), "expected \"(\", as in median(cuda_cub, n=1e6)");
        return;
    }
    if (!take_character(r, ')')) {
        do
            take_condition(r, s);
        while (r->status == SCAN_OK && take_character(r, ','));
        if (!take_character(r, ')'))
            refuse(r, (peek(r), r->at), "expected \",\" or \")\"");
    }
    size_t used = 0;
    for (size_t i = begin; i < r->at && used + 1 < sizeof s->text; i++) {
        const bool space = isspace((unsigned char)r->source->text[i]);
        if (!space)
            s->text[used++] = r->source->text[i];
        else if (used > 0 && s->text[used - 1] != ' ')
            s->text[used++] = ' ';
    }
    s->text[used] = '\0';
}

/* A number and its unit, which becomes a part of the limit on the right. */
static void take_number(reading *r, bool divides, bool is_right)
{
    static const struct {
        const char *word;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char word[FORMULA_WORD_BYTES], *end;
    const size_t begin = r->at;
    take_word(r, "0123456789.eE+", word);
    double value = strtod(word, &end);
    if (*end || !(value > 0) || !isfinite(value)) {
        refuse(r, begin, "expected a number above 0, as 1.5 or 1e6");
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (take_keyword(r, units[i].word)) {
            value *= units[i].ns;
            break;
        }
    r->f->limit *= divides == is_right ? 1 / value : value;
}

static void take_product(reading *r, bool divides, bool is_right);

static void take_factor(reading *r, bool divides, bool is_right)
{
    const char next = peek(r);
    const size_t begin = r->at;
    if (take_character(r, '(')) {
        if (++r->depth > FORMULA_DEPTH) {
            refuse(r, begin, "parentheses are at most 8 deep");
            return;
        }
        take_product(r, divides, is_right);
        r->depth--;
        if (!take_character(r, ')'))
            refuse(r, (peek(r), r->at), "expected \")\"");
    } else if (take_keyword(r, "median")) {
        take_selector(r, false, divides != is_right, begin);
    } else if (take_keyword(r, "best")) {
        take_selector(r, true, divides != is_right, begin);
    } else if ((next >= '0' && next <= '9') || next == '.') {
        take_number(r, divides, is_right);
    } else {
        refuse(r, begin, "expected median(...), best(...) or a number");
    }
}

static void take_product(reading *r, bool divides, bool is_right)
{
    take_factor(r, divides, is_right);
    while (r->status == SCAN_OK) {
        if (take_character(r, '*'))
            take_factor(r, divides, is_right);
        else if (take_character(r, '/'))
            take_factor(r, !divides, is_right);
        else
            return;
    }
}

static void take_compare(reading *r)
{
    const bool less = take_character(r, '<');
    if (!less && !take_character(r, '>')) {
        refuse(r, (peek(r), r->at), "expected one of * / < <= > >=");
        return;
    }
    const bool equal = r->at < r->source->end && r->source->text[r->at] == '=';
    r->at += equal;
    r->f->compare =
        less ? (equal ? FORMULA_AT_MOST : FORMULA_LESS) : (equal ? FORMULA_AT_LEAST : FORMULA_MORE);
}

scan_status formula_parse(const formula_source *source, formula *formula_p, errmsg *error)
{
    formula *f = calloc(1, sizeof *f);
    if (!f)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    reading r = {.source = source, .at = source->begin, .f = f, .error = error};
    f->limit = 1;
    skip_space(&r);
    const size_t begin = r.at;
    take_loops(&r);
    if (r.status == SCAN_OK)
        take_product(&r, false, false);
    if (r.status == SCAN_OK)
        take_compare(&r);
    if (r.status == SCAN_OK)
        take_product(&r, false, true);
    if (r.status == SCAN_OK && peek(&r))
        refuse(&r, r.at, "expected the end of the formula");
    if (r.status == SCAN_OK && f->count == 0)
        refuse(&r, begin, "a formula needs a time: median(...) or best(...)");
    if (r.status == SCAN_OK && (!isfinite(f->limit) || !(f->limit > 0)))
        refuse(&r, begin, "its numbers are too large or too small");
    if (r.status == SCAN_OK)
        *formula_p = *f;
    free(f);
    return r.status;
}
