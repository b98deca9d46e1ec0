/*
 * report_page.h - a report as one HTML file that needs nothing else
 */
#ifndef SCANBENCH_REPORT_REPORT_PAGE_H
#define SCANBENCH_REPORT_REPORT_PAGE_H

#include "report/recipe.h"
#include "report/report.h"

/* Writes the page to `path` ("-": stdout), with what the report says of the claims of the recipes,
 * of which there may be none. SCAN_OK, SCAN_ERROR or SCAN_NO_MEMORY; `error` says why. */
scan_status report_page_write(const report *r, const recipe_list *recipes, const char *path,
                              errmsg *error);

#endif
