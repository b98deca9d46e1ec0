/*
 * study.h - what a command line asks to measure: the machine, the sessions of the selected plugins,
 * and the plan of their configurations
 */
#ifndef SCANBENCH_COMMANDS_STUDY_H
#define SCANBENCH_COMMANDS_STUDY_H

#include "cli/options.h"
#include "exit_status.h"
#include "sweep/plan_make.h"
#include "sweep/sweep.h"

typedef struct study {
    settings settings;
    session_set session_set;
    plan plan;
    cpu_topology *machine;
    bool in_duel; /* set before it is opened: without calibrators; who names files means them alone
                   */
    uint64_t mem_limit; /* bytes of host memory for a worker and its arrays */
} study;

/* Opens it. EXIT_GOOD; another exit status with the reason in `error`, which is "" after a signal.
 * Released with study_close in either case. */
int study_open(const options *o, study *study_p, errmsg *error);
void study_close(study *s);

sweep_options study_sweep_options(const study *s, const options *o);

#endif
