#include "protocol/message.h"

#include "text/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Decodes %XX in place; false on a bad escape. A decoded NUL is refused, because it would cut the
 * text short unnoticed. */
static bool unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        int high = hex_digit(from[1]);
        int low = high < 0 ? -1 : hex_digit(from[2]);
        if (low < 0 || (high == 0 && low == 0))
            return false;
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

bool message_parse(char *line, protocol_message *parsed_p)
{
    protocol_message m = {0};
    char *rest = line;
    m.verb = strsep(&rest, "\t");
    if (!*m.verb)
        return false;
    while (rest) {
        char *field = strsep(&rest, "\t");
        char *equals = strchr(field, '=');
        if (!equals || equals == field || m.field_count == MESSAGE_FIELDS)
            return false;
        *equals = '\0';
        if (!unescape(equals + 1))
            return false;
        m.fields[m.field_count].key = field;
        m.fields[m.field_count].value = equals + 1;
        m.field_count++;
    }
    *parsed_p = m;
    return true;
}

bool message_is(const protocol_message *m, const char *verb)
{
    return strcmp(m->verb, verb) == 0;
}

const char *message_text(const protocol_message *m, const char *key)
{
    for (size_t i = 0; i < m->field_count; i++)
        if (strcmp(m->fields[i].key, key) == 0)
            return m->fields[i].value;
    return NULL;
}

void message_line(const protocol_message *m, const char *key, char *to, size_t size)
{
    const char *text = message_text(m, key);
    size_t bytes = 0;
    for (size_t next; text && text[bytes] && bytes + 1 < size; bytes += next) {
        next = utf8_bytes(text + bytes);
        next = next ? next : 1;
        if (bytes + next + 1 > size)
            break;
        memcpy(to + bytes, text + bytes, next);
    }
    to[bytes] = '\0';
    utf8_clean(to);
}

bool message_u64(const protocol_message *m, const char *key, uint64_t *value_p)
{
    const char *text = message_text(m, key);
    if (!text || *text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (errno || *end)
        return false;
    *value_p = value;
    return true;
}

bool message_double(const protocol_message *m, const char *key, double *value_p)
{
    const char *text = message_text(m, key);
    if (!text || !*text)
        return false;
    char *end;
    double value = strtod(text, &end);
    if (*end)
        return false;
    *value_p = value;
    return true;
}

long message_i64_list(const protocol_message *m, const char *key, int64_t *values, size_t capacity)
{
    const char *text = message_text(m, key);
    size_t count = 0;
    while (text && *text) {
        char *end;
        errno = 0;
        int64_t value = strtoll(text, &end, 10);
        if (errno || end == text || (*end && *end != ',') || count == capacity)
            return -1;
        values[count++] = value;
        if (*end && !end[1])
            return -1;
        text = *end ? end + 1 : end;
    }
    return (long)count;
}

void message_begin(FILE *out, const char *verb)
{
    fputs(verb, out);
}

void message_answer(FILE *out, const char *verb, uint64_t serial)
{
    message_begin(out, verb);
    message_put_u64(out, "serial", serial);
}

void message_put_text(FILE *out, const char *key, const char *value)
{
    fprintf(out, "\t%s=", key);
    for (const char *c = value; *c; c++)
        if (strchr("\t\n\r%", *c))
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
}

void message_put_u64(FILE *out, const char *key, uint64_t value)
{
    fprintf(out, "\t%s=%" PRIu64, key, value);
}

void message_put_double(FILE *out, const char *key, double value)
{
    fprintf(out, "\t%s=%.17g", key, value);
}

void message_put_i64_list(FILE *out, const char *key, const int64_t *values, size_t count)
{
    fprintf(out, "\t%s=", key);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRId64, i ? "," : "", values[i]);
}

bool message_end(FILE *out)
{
    fputc('\n', out);
    return fflush(out) == 0 && !ferror(out);
}

/* ---- structs ---- */

const char *message_word(const message_member *one, uint32_t value)
{
    if (value > one->most)
        return "?";
    return one->words ? one->words[value] : one->word(value);
}

static uint64_t number_at(const void *at, size_t bytes)
{
    return bytes == sizeof(uint32_t) ? *(const uint32_t *)at : *(const uint64_t *)at;
}

static bool is_zero(const message_member *one, const char *at)
{
    static const uint64_t zero = 0;
    return one->form == MESSAGE_TEXT ? !*at : memcmp(at, &zero, one->bytes) == 0;
}

void message_put_members(FILE *out, const message_members *members, const void *object)
{
    for (size_t i = 0; i < members->count; i++) {
        const message_member *one = &members->list[i];
        const void *at = (const char *)object + one->at;
        if (one->sparse && is_zero(one, at))
            continue;
        if (one->form == MESSAGE_TEXT)
            message_put_text(out, one->key, at);
        else if (one->form == MESSAGE_NUMBER)
            message_put_u64(out, one->key, number_at(at, one->bytes));
        else if (one->form == MESSAGE_WORD)
            message_put_text(out, one->key, message_word(one, *(const uint32_t *)at));
        else
            message_put_double(out, one->key, *(const double *)at);
    }
}

static bool read_number(const protocol_message *m, const message_member *one, void *at)
{
    uint64_t value;
    if (!message_u64(m, one->key, &value) || value < one->least || value > one->most)
        return false;
    if (one->bytes == sizeof(uint32_t))
        *(uint32_t *)at = (uint32_t)value;
    else
        *(uint64_t *)at = value;
    return true;
}

static bool read_word(const protocol_message *m, const message_member *one, uint32_t *at)
{
    const char *text = message_text(m, one->key);
    for (uint32_t i = 0; text && i <= one->most; i++)
        if (strcmp(message_word(one, i), text) == 0) {
            *at = i;
            return true;
        }
    return false;
}

static bool read_real(const protocol_message *m, const message_member *one, double *at)
{
    return message_double(m, one->key, at) &&
           (one->form == MESSAGE_REAL || (isfinite(*at) && *at >= 0));
}

bool message_read_members(const protocol_message *m, const message_members *members, void *object_p)
{
    bool good = true;
    for (size_t i = 0; i < members->count && good; i++) {
        const message_member *one = &members->list[i];
        void *at = (char *)object_p + one->at;
        if (one->sparse && !message_text(m, one->key))
            continue;
        if (one->form == MESSAGE_TEXT)
            message_line(m, one->key, at, one->bytes);
        else if (one->form == MESSAGE_NUMBER)
            good = read_number(m, one, at);
        else if (one->form == MESSAGE_WORD)
            good = read_word(m, one, at);
        else
            good = read_real(m, one, at);
    }
    return good;
}
