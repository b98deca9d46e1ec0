/*
 * time_plot.h - the times of a few problems against n, a letter for each plugin, and the copy
 */
#ifndef SCANBENCH_TABLES_TIME_PLOT_H
#define SCANBENCH_TABLES_TIME_PLOT_H

#include "report/report.h"
#include "tables/paper.h"

/* For problems that have file, view and place in common and differ in n. SCAN_OK or
 * SCAN_NO_MEMORY. */
scan_status time_plot_put(const report_problem *problems, size_t count, const paper *p);

#endif
