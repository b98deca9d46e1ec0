/*
 * judged_print.h - which claims hold, with the numbers
 */
#ifndef SCANBENCH_REPORT_JUDGED_PRINT_H
#define SCANBENCH_REPORT_JUDGED_PRINT_H

#include "report/judgement.h"
#include "report/paper.h"

/* The claims of a report's recipes: a summary, then each claim in each file that has rows for it.
 * SCAN_OK or SCAN_NO_MEMORY. */
scan_status judged_print(const report *r, const paper *p);

#endif
