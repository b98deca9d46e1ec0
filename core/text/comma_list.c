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

const char *words_join(const char *const *words, size_t count, const char *comma, const char *last,
                       char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? last
                                                  : comma,
                                 words[i]);
    return text;
}
