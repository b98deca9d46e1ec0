/*
 * report_page.h - a report as one HTML file that needs nothing else
 */
#ifndef SCANBENCH_REPORT_REPORT_PAGE_H
#define SCANBENCH_REPORT_REPORT_PAGE_H

#include "report/report.h"

/* Writes the page to `path` ("-": stdout). SCAN_OK, SCAN_ERROR or SCAN_NO_MEMORY; `error` says
 * why. */
scan_status report_page_write(const report *r, const char *path, errmsg *error);

#endif
