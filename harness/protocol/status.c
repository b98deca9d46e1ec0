#include "protocol/status.h"

#include <stdio.h>
#include <string.h>

typedef struct status_entry {
    const char *word;
    exit_status exit;
} status_entry;

#define ENTRY(name, word, exit) [ROW_##name] = {word, exit},
static const status_entry entries[] = {ROW_STATUS_MAP(ENTRY)};
#undef ENTRY

static bool is_status(row_status status)
{
    return (size_t)status < ROW_STATUS_COUNT;
}

const char *row_status_word(row_status status)
{
    return is_status(status) ? entries[status].word : "?";
}

row_status row_status_find(const char *word)
{
    for (size_t i = 0; word && i < ROW_STATUS_COUNT; i++)
        if (strcmp(entries[i].word, word) == 0)
            return (row_status)i;
    return ROW_ERROR;
}

exit_status row_status_exit(row_status status)
{
    return is_status(status) ? entries[status].exit : EXIT_WRONG;
}

bool row_status_is_failure(row_status status)
{
    return row_status_exit(status) != EXIT_GOOD;
}

bool row_status_is_retried(row_status status)
{
    return row_status_is_failure(status) || status == ROW_SKIPPED;
}

void row_flags_add(char *flags, size_t size, const char *flag)
{
    const size_t used = strlen(flags);
    if (!strstr(flags, flag))
        snprintf(flags + used, size - used, "%s%s", used ? ";" : "", flag);
}
