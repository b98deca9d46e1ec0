/*
 * timed_run.h - the time of a run, by the host's clock
 */
#ifndef SCANBENCH_WORKER_TIMED_RUN_H
#define SCANBENCH_WORKER_TIMED_RUN_H

#include "protocol/visit.h"
#include "worker/trial.h"

/* Runs `batch` times in one interval; the time of one, or a negative number if a run failed,
 * which is then noted. Where a plugin works in place only, the input is put back before each
 * run, outside the timing. */
double timed_run(trial *e, unsigned batch);

/* The same for a sample, in the state of the caches that its job asks for; one that was interrupted
 * (cpu_watch.h) is taken again, twice at most. */
double timed_sample(trial *e, unsigned batch);

/* Runs `others` times, makes the stores, and runs once more, all back to back and untimed. On the
 * host. false if a run failed. */
bool timed_run_changed(trial *e, unsigned others, const spot_stores *stores);

/* Runs for limit_s seconds, at least once, and finds how many runs make an interval 200 times
 * as long as reading the clock takes; one where caches are cold. false if a run failed. */
bool timed_run_estimate(trial *e, double limit_s, visit_estimate *estimate_p);

#endif
