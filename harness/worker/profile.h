/*
 * profile.h - runs a configuration for a profiler: one run that warms up, and one in a range that
 * is named after the configuration
 */
#ifndef SCANBENCH_WORKER_PROFILE_H
#define SCANBENCH_WORKER_PROFILE_H

#include "worker/trial.h"

/* Creates the instance, compares its output before and after in full, as for measuring, and takes
 * no time. false where it noted a failure in e. */
bool profile_trial(trial *e);

#endif
