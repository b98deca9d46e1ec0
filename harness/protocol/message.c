#include "protocol/message.h"

#include "text/utf8.h"

#include <errno.h>
#include <inttypes.h>
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
