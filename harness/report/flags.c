/*
 * flags.c - the flags of all rows, by file and flag, and what each means
 */
#include "report/report_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64 };

static const struct {
    const char *flag, *means;
    bool is_disturbed;
} known_flags[] = {
    {"noisy", "the half width of the interval is above 1.25 %, or there is no interval", true},
    {"busy", "other programs or the hypervisor took the processor", true},
    {"faults", "pages of memory were mapped while the run was timed", true},
    {"throttled", "the GPU lowered its clock", true},
    {"gpu_shared", "another program computed on the GPU", true},
    {"threads", "the plugin would use more cores than it had", true},
    {"shared_core", "another thread worked on the same core", true},
    {"remote_memory", "the buffers lie on another NUMA node", true},
    {"above_copy", "faster than the copy, so there is a faster copy than those measured", true},
    {"device_exceeds_run", "the device's clock contradicts the host's", true},
    {"bad_time", "the plugin recorded a value that cannot be a time", true},
    {"unknown_phase", "the plugin recorded a time under an unknown name", true},
    {"coarse_clock", "a cold run, or a phase that has no row, is too short for the clock", true},
    {"batch", "one run is too short for the clock, so an interval holds several", false},
    {"allocates_in_run", "each run allocates, and its time includes that", false},
};

/* Sets what the flag means, nothing for an unknown one. */
static void explain(report_flag *flag)
{
    flag->means = "";
    for (size_t i = 0; i < sizeof known_flags / sizeof *known_flags; i++)
        if (strcmp(known_flags[i].flag, flag->word) == 0) {
            flag->means = known_flags[i].means;
            flag->is_disturbed = known_flags[i].is_disturbed;
        }
}

/* Adds the row to each of its flags, whose word is what stands before "=". */
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
        explain(flag);
    }
    r->flag_count = s->flag_rows.count;
    if (r->flag_count > 0)
        qsort(s->flags, r->flag_count, sizeof *s->flags, by_file_and_weight);
    return SCAN_OK;
}
