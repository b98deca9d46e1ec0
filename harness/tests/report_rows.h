/* report_rows.h - CSVs of a few columns, for tests of what reports say of them */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_HEADER                                                                       \
    "schema,run_id,plugin,role,backend,device,kind,op,dtype,n,block,vt,params,cache,phase," \
    "status,reason,median_ns,ci_lo_ns,ci_hi_ns,rounds,time_per_scan,time_per_scan_lo,"      \
    "time_per_scan_hi,speedup,speedup_lo,speedup_hi,pct_copy,flags\n"

/* What a row begins with: up to its device, and up to its type. */
#define ROW_RUN "1,r,"
#define ROW_SERIAL ROW_RUN "cpu_serial,baseline,cpu,Xeon,exclusive,sum,i32,"
#define ROW_CPU(id) ROW_RUN id ",algorithm,cpu,Xeon,exclusive,sum,i32,"
#define ROW_GPU(id) ROW_RUN id ",algorithm,cuda,H200,exclusive,sum,i32,"
#define ROW_COPY ROW_RUN "cpu_memcpy,ceiling,cpu,Xeon,,,i32,"
/* A time with an interval of 1 % on each side, in ten rounds. */
#define ROW_TIME(ns, lo, hi) ",ok,," #ns "," #lo "," #hi ",10,"

/* A report and the one file that it is made of. */
typedef struct test_report {
    result_file file;
    run_info info;
    report r;
} test_report;

/* Of a header and rows; false, with the reason printed, if they are refused. */
static inline bool test_report_of(test_report *t, const char *header, const char *rows)
{
    errmsg error = {""};
    csv_table table = {0};
    char *text;
    *t = (test_report){.r = {.rows = 0}};
    if (asprintf(&text, "%s%s", header, rows) < 0)
        return false;
    scan_status status = csv_read_text(text, strlen(text), "t.csv", CSV_TAIL_KEEP, &table, &error);
    free(text);
    if (status == SCAN_OK)
        status = result_file_take(table, "t.csv", &t->file, &error);
    if (status == SCAN_OK)
        status = run_info_take(NULL, &t->info);
    if (status == SCAN_OK)
        status = report_make(&t->file, &t->info, 1, &t->r);
    if (status != SCAN_OK)
        printf("# %s\n", error.text);
    return status == SCAN_OK;
}

/* Of the rows behind REPORT_HEADER. */
static inline bool test_report_make(test_report *t, const char *rows)
{
    return test_report_of(t, REPORT_HEADER, rows);
}

static inline void test_report_free(test_report *t)
{
    report_free(&t->r);
    run_info_free(&t->info);
    result_file_free(&t->file);
}

#endif
