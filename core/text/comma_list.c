#include "text/comma_list.h"

#include <stdio.h>
#include <string.h>

bool comma_list_next(const char **list_p, char *word, size_t size)
{
    const char *list = *list_p;
    if (!list || !*list)
        return false;
    size_t length = strcspn(list, ",");
    snprintf(word, size, "%.*s", (int)length, list);
    *list_p = list + length + (list[length] == ',');
    return true;
}
