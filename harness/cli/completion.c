#include "cli/completion.h"

#include <string.h>

bool completion_takes_file(const option_entry *entry)
{
    return entry->argument && strcmp(entry->argument, "FILE") == 0;
}

bool completion_takes_list(const option_entry *entry)
{
    return entry->argument && strcmp(entry->argument, "LIST") == 0;
}

bool completion_has_verb(const option_entry *entry, const verb_entry *v)
{
    return (entry->verbs & (int)v->verb) != 0;
}

/* Up to the words, a semicolon or the end of the line. */
static size_t short_length(const char *help)
{
    size_t length = 0;
    while (help[length] && !strchr("\n;{", help[length]))
        length++;
    while (length > 0 && strchr(" :,", help[length - 1]))
        length--;
    return length;
}

void completion_put_short(const char *help, const char *special, FILE *out)
{
    const size_t length = short_length(help);
    for (const char *c = help; c < help + length; c++) {
        if (*c == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *c))
            fputc('\\', out);
        fputc(*c, out);
    }
}
