#include "compare/comparison_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Do two words differ? An empty one agrees with all: a copy has neither operator nor kind. */
static bool differ(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

/* The first pair whose row has an operator, and so a kind. */
static const result_row *first_scan(const comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (*compared_row(&c->pairs[i])->op)
            return compared_row(&c->pairs[i]);
    return compared_row(&c->pairs[0]);
}

naming naming_of(const comparison *c)
{
    naming n = {.problem = false};
    const result_row *first = c->count > 0 ? first_scan(c) : NULL;
    for (size_t i = 0; i < c->count; i++) {
        const result_row *row = compared_row(&c->pairs[i]);
        n.problem |= differ(row->dtype, first->dtype) || differ(row->op, first->op) ||
                     differ(row->kind, first->kind);
        n.phase |= strcmp(row->phase, first->phase) != 0;
        n.cache |= strcmp(row->cache, first->cache) != 0;
        n.device |=
            strcmp(row->backend, first->backend) == 0 && strcmp(row->device, first->device) != 0;
    }
    return n;
}

/* Appends " PREFIXWORD" if there is a word and it is wanted. */
static void append(char *text, size_t size, const char *prefix, const char *word, bool wanted)
{
    const size_t used = strlen(text);
    if (wanted && *word)
        snprintf(text + used, size - used, "%s%s%s", used ? " " : "", prefix, word);
}

/* The words of a configuration that are not its plugin and its setting. */
static void append_problem(const naming *n, const result_row *row, char *text, size_t size)
{
    append(text, size, "", row->phase, n->phase);
    append(text, size, "", row->dtype, n->problem);
    append(text, size, "", row->op, n->problem);
    append(text, size, "", row->kind, n->problem);
}

static void append_setting(const naming *n, const result_row *row, char *text, size_t size)
{
    append(text, size, "block=", row->block, true);
    append(text, size, "vt=", row->vt, true);
    append(text, size, "", row->params, true);
    append(text, size, "", row->cache, n->cache);
    append(text, size, "on ", row->device, n->device);
}

static bool is_same_setting(const result_row *a, const result_row *b)
{
    return strcmp(a->block, b->block) == 0 && strcmp(a->vt, b->vt) == 0 &&
           strcmp(a->params, b->params) == 0 && strcmp(a->device, b->device) == 0;
}

/* What distinguishes two sides that were measured in one run. */
static void append_opponents(const compared_pair *pair, const naming *n, char *text, size_t size)
{
    const result_row *old = pair->first, *new = pair->second;
    const bool other_kind = differ(old->kind, new->kind);
    const bool same_plugin = strcmp(old->plugin, new->plugin) == 0 && !other_kind;
    const bool two_builds =
        same_plugin && strcmp(pair->first_plugin_file, pair->second_plugin_file) != 0;
    append(text, size, "", new->plugin, true);
    append(text, size, "", new->kind, other_kind);
    append_setting(n, new, text, size);
    append(text, size, "of ", pair->second_plugin_file, two_builds);
    if (same_plugin && is_same_setting(old, new)) {
        append(text, size, "", "against itself", !two_builds);
        return;
    }
    append(text, size, "", "against", true);
    append(text, size, "", old->plugin, !same_plugin);
    append(text, size, "", old->kind, other_kind);
    append_setting(n, old, text, size);
    append(text, size, "of ", pair->first_plugin_file, two_builds);
}

const char *naming_name(const naming *n, const compared_pair *pair, char *text, size_t size)
{
    const result_row *row = compared_row(pair);
    *text = '\0';
    if (pair->second_plugin_file) {
        naming common = *n;
        common.problem = n->problem && !differ(pair->first->kind, pair->second->kind);
        append_opponents(pair, n, text, size);
        append_problem(&common, row, text, size);
        return text;
    }
    append(text, size, "", row->plugin, true);
    append_problem(n, row, text, size);
    append_setting(n, row, text, size);
    return text;
}

const char *change_meaning(const comparison *c, const result_file *second,
                           char text[CHANGE_MEANING_BYTES])
{
    enum { MOST = 400 };
    const char *first = c->files[0].path;
    snprintf(text, CHANGE_MEANING_BYTES,
             c->in_run ? "change: how much longer %.*s takes than %.*s"
                       : "change: how much longer the times in %.*s are than in %.*s",
             MOST, second->path, MOST, first);
    return text;
}

const char *change_text(double ratio, char text[CHANGE_BYTES])
{
    if (!(ratio > 0))
        snprintf(text, CHANGE_BYTES, "-");
    else if (ratio < 9.995)
        snprintf(text, CHANGE_BYTES, "%+.1f%%", 100 * (ratio - 1));
    else
        snprintf(text, CHANGE_BYTES, ratio >= 999.5 && ratio < 999999 ? "x%.0f" : "x%.3g", ratio);
    return text;
}

void put_unmatched(const comparison *c, const result_file *second, bool in_first,
                   difference_sink *sink, void *to)
{
    char text[UNMATCHED_BYTES] = "";
    size_t count = 0;
    const char *last = "";
    for (size_t i = 0; i < c->count; i++) {
        const compared_pair *p = &c->pairs[i];
        if (p->second_file != second || (in_first ? p->second : p->first))
            continue;
        const char *plugin = compared_row(p)->plugin;
        append(text, sizeof text, "", plugin, strcmp(plugin, last) != 0);
        last = plugin;
        count++;
    }
    char line[UNMATCHED_BYTES + 512];
    snprintf(line, sizeof line, "%zu only in %.400s: %s", count,
             in_first ? c->files[0].path : second->path, text);
    if (count > 0)
        sink(to, line);
}

const char *summary_text(const comparison *c, char text[SUMMARY_BYTES])
{
    snprintf(text, SUMMARY_BYTES,
             "%zu slower, %zu faster, %zu same, %zu inconclusive, %zu missing; threshold %g %%",
             comparison_count(c, VERDICT_SLOWER), comparison_count(c, VERDICT_FASTER),
             comparison_count(c, VERDICT_SAME), comparison_count(c, VERDICT_INCONCLUSIVE),
             comparison_count(c, VERDICT_MISSING), 100 * c->threshold);
    return text;
}
