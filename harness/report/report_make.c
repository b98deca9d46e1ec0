/*
 * report_make.c - the steps in which a report is made of files
 */
#include "report/report_store.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* "results/h200.csv" as "h200". */
static char *short_label(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    const size_t length = strlen(name);
    const size_t end = length > 4 && strcmp(name + length - 4, ".csv") == 0 ? length - 4 : length;
    return strcmp(path, "-") == 0 ? strdup("stdin") : strndup(name, end);
}

/* Labels that are alike become paths. */
static scan_status find_labels(report *r)
{
    report_store *s = r->store;
    for (size_t i = 0; i < r->file_count; i++) {
        s->labels[i] = short_label(s->files[i].results->path);
        if (!s->labels[i])
            return SCAN_NO_MEMORY;
        utf8_clean(s->labels[i]);
        s->files[i].label = s->labels[i];
    }
    for (size_t i = 0; i < r->file_count; i++)
        for (size_t k = 0; k < r->file_count; k++)
            if (k != i && strcmp(s->labels[i], s->labels[k]) == 0)
                s->files[i].label = s->files[i].results->path;
    return SCAN_OK;
}

scan_status report_make(const result_file *files, const run_info *infos, size_t count,
                        report *report_p)
{
    report r = {.file_count = count, .store = calloc(1, sizeof(report_store))};
    if (!r.store)
        return SCAN_NO_MEMORY;
    r.files = r.store->files = calloc(count + 1, sizeof *r.store->files);
    r.store->labels = calloc(count + 1, sizeof *r.store->labels);
    scan_status status = r.files && r.store->labels ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; i < count && status == SCAN_OK; i++) {
        r.store->files[i] = (report_file){.results = &files[i], .info = infos[i]};
        r.rows += files[i].count;
    }
    if (status == SCAN_OK)
        status = find_labels(&r);
    if (status == SCAN_OK)
        status = report_find_configurations(&r);
    if (status == SCAN_OK)
        status = report_find_problems(&r);
    if (status == SCAN_OK)
        status = report_find_flags(&r);
    if (status == SCAN_OK)
        *report_p = r;
    else
        report_free(&r);
    return status;
}
