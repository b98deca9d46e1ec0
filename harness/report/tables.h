/*
 * tables.h - a report as text: tables and plots of characters for a terminal, tables in Markdown
 */
#ifndef SCANBENCH_REPORT_TABLES_H
#define SCANBENCH_REPORT_TABLES_H

#include "report/paper.h"
#include "report/report.h"

/* SCAN_OK or SCAN_NO_MEMORY; whether the stream took it all is for the caller to ask. */
scan_status tables_print(const report *r, const paper *p);

#endif
