#include "system/json.h"

#include "text/utf8.h"

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
