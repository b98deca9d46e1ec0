/*
 * report_tables.h - a report as text: tables and plots of characters for a terminal, tables in
 * Markdown
 */
#ifndef SCANBENCH_TABLES_REPORT_TABLES_H
#define SCANBENCH_TABLES_REPORT_TABLES_H

#include "report/report.h"
#include "tables/paper.h"

/* SCAN_OK or SCAN_NO_MEMORY; whether the stream took it all is for the caller to ask. */
scan_status report_tables_print(const report *r, const paper *p);

#endif
