#include "text/json.h"

#include "text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The code point of a character of at most three bytes. */
static unsigned number_of(const unsigned char *at, size_t bytes)
{
    if (bytes == 1)
        return *at;
    const unsigned last = (unsigned)at[bytes - 1] & 0x3f;
    return bytes == 2 ? (at[0] & 0x1fu) << 6 | last
                      : (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | last;
}

void json_string(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', out);
    while (*at) {
        size_t bytes = utf8_bytes((const char *)at);
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (bytes == 0)
            fputs("\\ufffd", out);
        else if (utf8_is_control((const char *)at, bytes))
            fprintf(out, "\\u%04x", number_of(at, bytes));
        else
            fwrite(at, 1, bytes, out);
        at += bytes ? bytes : 1;
    }
    fputc('"', out);
}

/* ---- walking ---- */

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Behind the string, or NULL. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* Behind the object or array, or NULL. */
static const char *skip_brackets(const char *at, const char *end)
{
    size_t depth = 0;
    while (at && at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Behind the value at `at`, or NULL. */
static const char *skip_value(const char *at, const char *end)
{
    if (at >= end)
        return NULL;
    if (*at == '"')
        return skip_string(at, end);
    if (*at == '{' || *at == '[')
        return skip_brackets(at, end);
    const char *start = at;
    while (at < end && (strchr("+-.", *at) || (*at >= '0' && *at <= '9') ||
                        ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z')))
        at++;
    return at > start ? at : NULL;
}

json_value json_whole(const char *text, size_t bytes)
{
    const char *end = text + bytes;
    const char *start = skip_space(text, end);
    const char *behind = skip_value(start, end);
    if (!behind || skip_space(behind, end) != end)
        return (json_value){0};
    return (json_value){start, (size_t)(behind - start)};
}

json_walk json_begin(json_value of)
{
    const bool walks = of.text && of.bytes > 1 && (*of.text == '{' || *of.text == '[');
    return (json_walk){.at = walks ? of.text + 1 : NULL,
                       .end = walks ? of.text + of.bytes - 1 : NULL,
                       .in_object = walks && *of.text == '{'};
}

bool json_next(json_walk *w)
{
    if (!w->at)
        return false;
    const char *at = skip_space(w->at, w->end);
    w->at = NULL;
    if (w->in_object) {
        const char *behind = at < w->end && *at == '"' ? skip_string(at, w->end) : NULL;
        if (!behind)
            return false;
        w->name = (json_value){at, (size_t)(behind - at)};
        at = skip_space(behind, w->end);
        if (at >= w->end || *at != ':')
            return false;
        at = skip_space(at + 1, w->end);
    }
    const char *behind = skip_value(at, w->end);
    if (!behind)
        return false;
    w->value = (json_value){at, (size_t)(behind - at)};
    at = skip_space(behind, w->end);
    w->at = at < w->end && *at == ',' ? at + 1 : w->end;
    return true;
}

json_value json_member(json_value of, const char *name)
{
    for (json_walk w = json_begin(of); json_next(&w);)
        if (w.in_object && json_is(w.name, name))
            return w.value;
    return (json_value){0};
}

bool json_is(json_value value, const char *text)
{
    const size_t length = strlen(text);
    return value.text && value.bytes == length + 2 && *value.text == '"' &&
           memcmp(value.text + 1, text, length) == 0;
}

/* ---- the text that a string means ---- */

static const uint32_t replacement = 0xfffd;

/* A string being read. */
typedef struct reading {
    const char *at, *end;
    char *to;
} reading;

static void put_utf8(reading *r, uint32_t c)
{
    if (c < 0x80) {
        *r->to++ = (char)c;
    } else if (c < 0x800) {
        *r->to++ = (char)(0xc0 | (c >> 6));
        *r->to++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *r->to++ = (char)(0xe0 | (c >> 12));
        *r->to++ = (char)(0x80 | ((c >> 6) & 0x3f));
        *r->to++ = (char)(0x80 | (c & 0x3f));
    } else {
        *r->to++ = (char)(0xf0 | (c >> 18));
        *r->to++ = (char)(0x80 | ((c >> 12) & 0x3f));
        *r->to++ = (char)(0x80 | ((c >> 6) & 0x3f));
        *r->to++ = (char)(0x80 | (c & 0x3f));
    }
}

/* The number of \uXXXX at the place, which then lies behind it; false if it is none. */
static bool take_unit(reading *r, uint32_t *unit_p)
{
    uint32_t unit = 0;
    if (r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
        return false;
    for (int i = 2; i < 6; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = strchr(digits, r->at[i] | (r->at[i] >= 'A' ? 0x20 : 0));
        if (!digit || !*digit)
            return false;
        unit = 16 * unit + (uint32_t)(digit - digits);
    }
    r->at += 6;
    *unit_p = unit;
    return true;
}

/* A \u escape, of two units where it is outside the first plane. */
static void take_unicode(reading *r)
{
    uint32_t first, second;
    if (!take_unit(r, &first)) {
        r->at += r->end - r->at > 1 ? 2 : 1;
        put_utf8(r, replacement);
        return;
    }
    const char *behind = r->at;
    if (first < 0xd800 || first > 0xdfff) {
        put_utf8(r, first == 0 ? replacement : first);
    } else if (first < 0xdc00 && take_unit(r, &second) && second >= 0xdc00 && second <= 0xdfff) {
        put_utf8(r, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
    } else {
        r->at = behind;
        put_utf8(r, replacement);
    }
}

static void take_escape(reading *r)
{
    static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
    if (r->end - r->at > 1 && r->at[1] != 'u') {
        const char *letter = r->at[1] ? strchr(letters, r->at[1]) : NULL;
        if (letter)
            *r->to++ = means[letter - letters];
        else
            *r->to++ = r->at[1];
        r->at += 2;
    } else {
        take_unicode(r);
    }
}

char *json_text(json_value value)
{
    if (!value.text || value.bytes == 0 || *value.text == '{' || *value.text == '[')
        return NULL;
    const bool quoted = *value.text == '"' && value.bytes > 1;
    reading r = {.at = value.text + quoted, .end = value.text + value.bytes - quoted};
    /* Two bytes that are no whole escape become the three of a replacement character. */
    char *text = malloc(2 * (size_t)(r.end - r.at) + 4);
    r.to = text;
    while (text && r.at < r.end) {
        if (quoted && *r.at == '\\')
            take_escape(&r);
        else
            *r.to++ = *r.at++;
    }
    if (text)
        *r.to = '\0';
    return text;
}
