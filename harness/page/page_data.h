/*
 * page_data.h - a report as the JSON that the page reads; template/README.md describes it
 */
#ifndef SCANBENCH_PAGE_PAGE_DATA_H
#define SCANBENCH_PAGE_PAGE_DATA_H

#include "recipes/judged_list.h"

#include <stdio.h>

/* SCAN_OK or SCAN_NO_MEMORY. Write errors are left in `out`. */
scan_status page_data_write(const report *r, const judged_list *claims, FILE *out);

#endif
