/*
 * report_page.h - a report as one HTML file that needs nothing else
 */
#ifndef SCANBENCH_PAGE_REPORT_PAGE_H
#define SCANBENCH_PAGE_REPORT_PAGE_H

#include "recipes/judged_list.h"

/* Writes the page to `path` ("-": stdout), with these claims. SCAN_OK, SCAN_ERROR or
 * SCAN_NO_MEMORY; `error` says why. */
scan_status report_page_write(const report *r, const judged_list *claims, const char *path,
                              errmsg *error);

#endif
