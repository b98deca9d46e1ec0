#include "system/json_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
