#include "results/library_version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *library_version(const char *version, char text[LIBRARY_VERSION_BYTES])
{
    static const char digits[] = "0123456789";
    const size_t length = strlen(version), number = strspn(version, digits);
    if (number == length && (length == 6 || length == 7) && *version != '0') {
        const unsigned long all = strtoul(version, NULL, 10);
        snprintf(text, LIBRARY_VERSION_BYTES, "%lu.%lu.%lu", all / 100000, all / 100 % 1000,
                 all % 100);
        return text;
    }
    const size_t parts = strspn(version, "0123456789_");
    if (number == 0 || number == length || parts != length || length >= LIBRARY_VERSION_BYTES)
        return version;
    for (size_t i = 0; i <= length; i++)
        text[i] = version[i];
    for (char *at = text; *at; at++)
        if (*at == '_')
            *at = '.';
    return text;
}
