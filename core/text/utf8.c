#include "text/utf8.h"

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
