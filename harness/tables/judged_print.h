/*
 * judged_print.h - which claims hold, with the numbers
 */
#ifndef SCANBENCH_TABLES_JUDGED_PRINT_H
#define SCANBENCH_TABLES_JUDGED_PRINT_H

#include "recipes/judged_list.h"
#include "tables/paper.h"

/* A summary, then each claim in each file that has rows for it. SCAN_OK or SCAN_NO_MEMORY. */
scan_status judged_print(const report *r, const judged_list *claims, const paper *p);

#endif
