/*
 * problem_tables.h - who wins: a heading, a plot, and tables of the problems of one place
 */
#ifndef SCANBENCH_TABLES_PROBLEM_TABLES_H
#define SCANBENCH_TABLES_PROBLEM_TABLES_H

#include "report/report.h"
#include "tables/paper.h"

/* Prints `count` problems of a sheet that have file, view and place in common and differ in n.
 * SCAN_OK or SCAN_NO_MEMORY. */
scan_status problem_tables_put(const report *r, const report_problem *problems, size_t count,
                               const paper *p);

#endif
