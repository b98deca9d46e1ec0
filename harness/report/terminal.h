/*
 * terminal.h - a report for a terminal: plots of characters, and tables
 */
#ifndef SCANBENCH_REPORT_TERMINAL_H
#define SCANBENCH_REPORT_TERMINAL_H

#include "report/paper.h"
#include "report/report.h"

/* SCAN_OK or SCAN_NO_MEMORY; whether the stream took it all is for the caller to ask. */
scan_status report_terminal(const report *r, const paper *p);

#endif
