#include "compare/differences.h"

#include "compare/estimates.h"
#include "text/hash_map.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 1024 };

typedef struct telling {
    hash_map *told;
    difference_sink *sink;
    void *to;
    scan_status status;
} telling;

static void tell(telling *t, const char *text)
{
    const size_t *times = t->status == SCAN_OK ? hash_map_find(t->told, text) : NULL;
    if (t->status != SCAN_OK || times)
        return;
    if (!hash_map_add(t->told, text, 1))
        t->status = SCAN_NO_MEMORY;
    else
        t->sink(t->to, text);
}

/* One that is empty says nothing: a file may lack the column. */
static void tell_change(telling *t, const char *what, const char *of, const char *from,
                        const char *to)
{
    char text[TEXT_BYTES];
    if (!*from || !*to || strcmp(from, to) == 0)
        return;
    snprintf(text, sizeof text, "%s%s%s: %s -> %s", what, *of ? " of " : "", of, from, to);
    tell(t, text);
}

/* Two plugins of one run differ in their own properties; none of these is a change. */
static void tell_pair(telling *t, const result_row *a, const result_row *b)
{
    tell_change(t, "host", "", a->host, b->host);
    if (strcmp(a->backend, b->backend) == 0) {
        tell_change(t, "device", a->backend, a->device, b->device);
        tell_change(t, "driver", a->backend, a->driver, b->driver);
    }
    if (strcmp(a->plugin, b->plugin) == 0)
        tell_change(t, "version", a->plugin, a->plugin_version, b->plugin_version);
}

/* What the rows of a file lack that could be compared. */
static void tell_lacks(telling *t, const comparison *c, const result_file *file)
{
    size_t rounds = 0, calibrated = 0, known = 0, measured = 0, on_device = 0;
    char text[TEXT_BYTES];
    for (size_t i = 0; i < c->count; i++) {
        const compared_pair *p = &c->pairs[i];
        const result_row *row = p->first_file == file    ? p->first
                                : p->second_file == file ? p->second
                                                         : NULL;
        if (!row || row->status != ROW_OK)
            continue;
        measured += !row->on_device;
        on_device += row->on_device;
        rounds += row->absolute.known || row->per_spin.known;
        calibrated += !row->on_device && estimates_are_calibrated(row);
        known += row->on_device && estimates_are_calibrated(row);
    }
    const char *lack =
        measured + on_device == 0 ? NULL
        : rounds == 0             ? "no intervals from rounds: whether a difference is more than "
                                    "noise cannot be known"
        : measured > 0 && calibrated == 0
            ? "no calibrators (time_per_scan, time_per_copy): a change of the "
              "machine cannot be told from one of a plugin"
        : on_device > 0 && known == 0 ? "neither a copy on the device (pct_copy_lo) nor its clock "
                                        "(clock_mhz), undisturbed: a "
                                        "change of the device cannot be told from one of a plugin"
                                      : NULL;
    if (!lack)
        return;
    snprintf(text, sizeof text, "%s has %s", file->path, lack);
    tell(t, text);
}

scan_status differences_tell(const comparison *c, const result_file *second, difference_sink *sink,
                             void *to)
{
    telling t = {.told = hash_map_new(), .sink = sink, .to = to};
    if (!t.told)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < c->count; i++) {
        const compared_pair *p = &c->pairs[i];
        if (p->second_file == second && p->first && p->second)
            tell_pair(&t, p->first, p->second);
    }
    if (!c->in_run) {
        tell_lacks(&t, c, &c->files[0]);
        tell_lacks(&t, c, second);
    }
    hash_map_free(t.told);
    return t.status;
}
