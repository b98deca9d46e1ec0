/*
 * calibrators.h - the frozen scan and the frozen copy as plugins inside the program
 */
#ifndef SCANBENCH_WORKER_CALIBRATORS_H
#define SCANBENCH_WORKER_CALIBRATORS_H

#include "scan_plugin.h"

/* Their table, in the order of the enum calibrator (protocol/calibrator.h). */
const scan_entry_table *calibrators_entry(void);

#endif
