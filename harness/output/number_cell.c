#include "output/number_cell.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool number_cell_is_whole(const char *cell)
{
    const bool negative = *cell == '-';
    const char *digits = cell + negative;
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] || (*digits == '0' && (count > 1 || negative)))
        return false;
    errno = 0;
    if (negative)
        strtoll(cell, NULL, 10);
    else
        strtoull(cell, NULL, 10);
    return errno == 0;
}

bool number_cell_is_real(const char *cell)
{
    char *end;
    if (!*cell || strspn(cell, "+-.0123456789eE") != strlen(cell))
        return false;
    return isfinite(strtod(cell, &end)) && !*end;
}

bool number_cell_is_list(const char *cell, bool (*is_number)(const char *item))
{
    for (const char *at = cell;; at++) {
        char item[64];
        const size_t length = strcspn(at, " ");
        if (length == 0 || length >= sizeof item)
            return false;
        memcpy(item, at, length);
        item[length] = '\0';
        if (strcmp(item, "-") != 0 && !is_number(item))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

void number_cell_trim(char *cell)
{
    char *point = strchr(cell, '.');
    if (!point || !point[1] || point[1 + strspn(point + 1, "0")])
        return;
    *point = '\0';
    if (!number_cell_is_whole(cell))
        *point = '.';
}
