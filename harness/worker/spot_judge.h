/*
 * spot_judge.h - what the looks of spot_check.h have found: outputs that are wrong, copies that
 * take so long that the plugin must be at work in them, and runs that are so short where nothing
 * was copied before that it must be idle in them
 */
#ifndef SCANBENCH_WORKER_SPOT_JUDGE_H
#define SCANBENCH_WORKER_SPOT_JUDGE_H

#include "worker/spot_check.h"

/* Each returns false if it set a fault. */

/* Compares what was read, if anything was. When all samples are taken. */
bool spot_judge_outputs(struct trial *e, const spot_check *check);
/* When a configuration is closed: was work of run done in copies, or only after copies? May destroy
 * the instance. */
bool spot_judge_times(struct trial *e);

#endif
