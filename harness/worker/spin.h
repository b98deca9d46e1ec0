/*
 * spin.h - how fast the worker's core is at this moment, without hardware counters
 */
#ifndef SCANBENCH_WORKER_SPIN_H
#define SCANBENCH_WORKER_SPIN_H

#include "protocol/visit.h"

/* Times the frozen chain and the frozen additions of frozen.h on this core, the best of three each:
 * some 30 us. */
visit_spin spin_take(void);

/* The mean of two, taken before and after. */
visit_spin spin_mean(const visit_spin *before, const visit_spin *after);

#endif
