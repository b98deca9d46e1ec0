/*
 * scaling_tables.h - what more parts gain, strong and weak
 */
#ifndef SCANBENCH_TABLES_SCALING_TABLES_H
#define SCANBENCH_TABLES_SCALING_TABLES_H

#include "report/report.h"
#include "tables/paper.h"

/* Nothing where no plugin was measured in several parts. SCAN_OK or SCAN_NO_MEMORY. */
scan_status scaling_tables_put(const report *r, const paper *p);

#endif
