#include "output/unavailable.h"

#include "output/fit.h"

#include <stdlib.h>
#include <string.h>

/* Plugins of one reason that are named; of more, only the first two. */
enum { NAMED = 3 };

static bool same_reason(const session *a, const session *b)
{
    return b->status == ROW_UNAVAILABLE && strcmp(a->reason, b->reason) == 0;
}

static bool same_plugin(const session *a, const session *b)
{
    return strcmp(a->plugin->id, b->plugin->id) == 0;
}

/* Has an earlier session the reason of this one, and with `plugin` the plugin too? */
static bool was_before(const session *sessions, size_t i, bool plugin)
{
    for (size_t k = 0; k < i; k++)
        if (same_reason(&sessions[i], &sessions[k]) &&
            (!plugin || same_plugin(&sessions[i], &sessions[k])))
            return true;
    return false;
}

/* Prints all that share the reason of the first. */
static void print_reason(const session *sessions, size_t first, size_t count, size_t columns,
                         FILE *out)
{
    size_t sharing = 0, named = 0, used = 0;
    char text[FAULT_SENTENCE_BYTES + (NAMED + 1) * 80] = "";
    for (size_t i = first; i < count; i++)
        sharing += same_reason(&sessions[first], &sessions[i]) && !was_before(sessions, i, true);
    const size_t most = sharing > NAMED ? NAMED - 1 : sharing;
    for (size_t i = first; i < count && named < most; i++) {
        if (!same_reason(&sessions[first], &sessions[i]) || was_before(sessions, i, true))
            continue;
        const char *before = named == 0 ? "" : named + 1 == sharing ? " and " : ", ";
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.64s", before,
                                 sessions[i].plugin->id);
        named++;
    }
    if (sharing > named)
        used += (size_t)snprintf(text + used, sizeof text - used, " and %zu more", sharing - named);
    snprintf(text + used, sizeof text - used, ": %s", sessions[first].reason);
    fit_print(text, 2, 4, columns, out);
}

void unavailable_print(const session *sessions, size_t count, size_t columns, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (sessions[i].status != ROW_UNAVAILABLE || was_before(sessions, i, false))
            continue;
        if (!any)
            fputs("\nUnavailable:\n", out);
        any = true;
        print_reason(sessions, i, count, columns, out);
    }
}
