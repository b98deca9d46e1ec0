/*
 * report.h - the last message of a configuration
 *
 *     done   fault= ...                      what went wrong, or none (fault.h)
 *            verified= error= flags=
 *            runs=                           of a behaviour that is asked for many
 */
#ifndef SCANBENCH_WORKER_REPORT_H
#define SCANBENCH_WORKER_REPORT_H

#include "worker/trial.h"

/* false only where the supervisor is gone. */
bool report_done(const trial *e);

#endif
