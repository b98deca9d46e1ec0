/*
 * flags.c - the remarks of all rows, by file and remark
 */
#include "report/report_store.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64 };

/* The word of a remark: without what is behind "=". */
static scan_status add_flags(report *r, size_t file, const result_row *row)
{
    scan_status status = SCAN_OK;
    for (const char *at = row->flags; *at && status == SCAN_OK; at += *at == ';') {
        char word[WORD_BYTES];
        const size_t whole = strcspn(at, ";"), length = strcspn(at, ";=");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length > 0)
            status = row_groups_add(&r->store->flag_rows, file, word, row);
        at += whole;
    }
    return status;
}

static int by_file_and_weight(const void *left, const void *right)
{
    const report_flag *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->is_disturbed != b->is_disturbed)
        return a->is_disturbed ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return strcmp(a->word, b->word);
}

scan_status report_find_flags(report *r)
{
    report_store *s = r->store;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < r->file_count; i++)
        for (size_t k = 0; k < r->files[i].results->count && status == SCAN_OK; k++)
            status = add_flags(r, i, &r->files[i].results->rows[k]);
    if (status == SCAN_OK)
        status = row_groups_finish(&s->flag_rows);
    r->flags = s->flags = calloc(s->flag_rows.count + 1, sizeof *s->flags);
    if (status != SCAN_OK || !s->flags)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < s->flag_rows.count; i++) {
        const row_group *group = &s->flag_rows.groups[i];
        report_flag *flag = &s->flags[i];
        *flag = (report_flag){
            .file = group->file, .word = group->key, .rows = group->rows, .count = group->count};
        flag->means = words_flag(flag->word, &flag->is_disturbed);
    }
    r->flag_count = s->flag_rows.count;
    if (r->flag_count > 0)
        qsort(s->flags, r->flag_count, sizeof *s->flags, by_file_and_weight);
    return SCAN_OK;
}
