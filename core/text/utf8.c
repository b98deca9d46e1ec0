#include "text/utf8.h"

#include <string.h>

size_t utf8_bytes(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    static const struct {
        unsigned char first, last, second_least, second_most;
        size_t bytes;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        bool good = forms[i].bytes == 1 ||
                    (at[1] >= forms[i].second_least && at[1] <= forms[i].second_most);
        for (size_t k = 2; good && k < forms[i].bytes; k++)
            good = (at[k] & 0xc0) == 0x80;
        return good ? forms[i].bytes : 0;
    }
    return 0;
}

bool utf8_is_valid(const char *text)
{
    size_t bytes = 1;
    for (; *text && bytes > 0; text += bytes)
        bytes = utf8_bytes(text);
    return bytes > 0;
}

/* Three bytes: U+2028 to U+202E and U+2066 to U+2069. */
bool utf8_is_control(const char *text, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    if (bytes == 1)
        return *at < ' ' || *at == 0x7f;
    if (bytes == 2)
        return at[0] == 0xc2 && at[1] < 0xa0;
    return bytes == 3 && at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) ||
            (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

void utf8_clean(char *text)
{
    size_t bytes;
    for (char *at = text; *at; at += bytes > 0 ? bytes : 1) {
        bytes = utf8_bytes(at);
        if (bytes == 0)
            *at = '?';
        else if (utf8_is_control(at, bytes))
            memset(at, ' ', bytes);
    }
}

void utf8_put(FILE *out, const char *text)
{
    size_t bytes;
    for (const char *at = text; *at; at += bytes > 0 ? bytes : 1) {
        bytes = utf8_bytes(at);
        if (bytes == 0)
            fputc('?', out);
        else if (utf8_is_control(at, bytes))
            fprintf(out, "%*s", (int)bytes, "");
        else
            fwrite(at, 1, bytes, out);
    }
}

void utf8_cut(char *text, size_t bytes)
{
    if (strnlen(text, bytes + 1) <= bytes)
        return;
    size_t end = bytes;
    while (end > 0 && bytes - end < 3 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    text[end] = '\0';
}
