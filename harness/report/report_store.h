/*
 * report_store.h - what a report owns, and the steps that fill it; for the files of this folder
 * that make a report
 */
#ifndef SCANBENCH_REPORT_REPORT_STORE_H
#define SCANBENCH_REPORT_REPORT_STORE_H

#include "report/report.h"
#include "report/row_groups.h"

typedef struct report_store {
    result_file *results; /* if the report read them */
    run_info *infos;
    size_t read_count;
    report_file *files;
    char **labels;
    report_configuration *configurations;
    const result_row **phases;
    report_sheet *sheets;
    report_problem *problems;
    report_entry *entries;
    report_setting *settings;
    row_groups missing_rows, repeated_rows, incomplete_rows, flag_rows;
    report_missing *missing;
    report_flag *flags;
} report_store;

/* Each fills its part of the report and of its store. SCAN_OK or SCAN_NO_MEMORY; what is there so
 * far is released by report_free. In this order: */
scan_status report_find_configurations(report *r);
scan_status report_find_problems(report *r);
scan_status report_find_flags(report *r);

/* Frees the files that a report has read; NULL is allowed where count is 0. */
void report_free_read(result_file *results, run_info *infos, size_t count);

#endif
