/*
 * study.h - what a command line asks to measure: the machine, the sessions of the selected plugins,
 * and the plan of their configurations
 */
#ifndef SCANBENCH_COMMANDS_STUDY_H
#define SCANBENCH_COMMANDS_STUDY_H

#include "cli/options.h"
#include "exit_status.h"
#include "supervisor/session_set.h"
#include "sweep/plan.h"
#include "sweep/settings.h"
#include "sweep/sweep.h"

/* The sessions that a command line asks for. SCAN_OK and *config_p, which points into the options;
 * or SCAN_INVALID if --pin has an unknown word. */
scan_status session_options_read(const plugin_options *o, bool verbose, session_config *config_p,
                                 errmsg *error);

/* How many ranks --parts asks for, of plugins whose parts are processes. */
void session_options_set_ranks(const settings *s, session_config *config);

/* The arguments of a command as a list of plugins, "all" without any; freed by the caller. NULL
 * where there is no memory. */
char *session_options_list(const options *o);

typedef struct study {
    settings settings;
    session_set session_set;
    plan plan;
    cpu_topology *machine;
    bool in_run; /* set before it is opened: without calibrators; who names files means them alone
                  */
    uint64_t mem_limit; /* bytes of host memory for a worker and its arrays */
} study;

/* Opens it. EXIT_GOOD; another exit status with the reason in `error`, which is "" after a signal.
 * Released with study_close in either case. */
int study_open(const options *o, study *study_p, errmsg *error);
void study_close(study *s);

/* Says on stderr that a configuration, by its label, has failed; nothing of another status. */
void study_print_failure(const char *label, row_status status, const fault *f);

sweep_options study_sweep_options(const study *s, const options *o);

#endif
