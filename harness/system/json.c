#include "system/json.h"

#include "text/utf8.h"

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
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, bytes, out);
        at += bytes ? bytes : 1;
    }
    fputc('"', out);
}
