/*
 * phases.h - where the time of a configuration goes
 */
#ifndef SCANBENCH_REPORT_PHASES_H
#define SCANBENCH_REPORT_PHASES_H

#include "report/report.h"

/* Parts in ns, 0 where they were not measured. They come from medians of separate samples, so they
 * add up to about `e2e` only. */
typedef struct report_phases {
    double h2d;     /* copying the input to the device */
    double kernels; /* by the device's clock: of all kernels together, else `device` */
    double rest;    /* what is left of `run`: launches, gaps, waiting; all of it without kernels */
    double d2h;     /* copying the output back */
    double e2e;     /* all of it in one interval */
    size_t kernel_count; /* rows of kernel:* */
} report_phases;

report_phases phases_of(const report_configuration *c);

#endif
