/*
 * core_use.h - does a plugin on the host use more cores than it declares?
 *
 * It is given one core, or as many as its tunable of threads says. The CPU time of its process says
 * how many it uses: more than the clock's time of these cores is the work of others.
 */
#ifndef SCANBENCH_WORKER_CORE_USE_H
#define SCANBENCH_WORKER_CORE_USE_H

#include <stdbool.h>

struct trial;

/* The clocks at a moment. */
typedef struct core_use {
    double wall_ns, cpu_ns;
} core_use;

core_use core_use_now(void);
/* Adds what was used since beyond the declared cores to the trial's excess_ns. */
void core_use_keep(struct trial *t, const core_use *since);
/* When a configuration is closed; false if it set a fault. Where visits had an excess, it runs for
 * a second more, and if an interval has one again, for another second after a pause: threads of
 * other configurations may spin for a second. */
bool core_use_judge(struct trial *t);

#endif
