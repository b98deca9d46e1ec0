/*
 * worker.h - the process that loads one plugin file and follows commands
 *
 * Commands, one message per line, and the answers to each:
 *     number    serial=         none; all answers repeat the serial from then on
 *     bind      kind= core=     bound   binding= places= | failed reason=
 *     describe                  plugin ... and tunable ... lines, then end
 *     probe     plugin= device= device  name= driver= ... fault= ...
 *     job       ...             step (step.h) and done (trial.h), or phase and waits (visit.h)
 *     visit, release, close, drop     step, phase, watch, waits and done (visit.h)
 *     quit
 * Before the first command the worker loads the file and answers: loaded ns= printed= exports=
 * export=, or failed step= reason=, and then ends. It also ends, with failed reason=, if a command
 * needs the machine's topology and that cannot be read.
 */
#ifndef SCANBENCH_WORKER_WORKER_H
#define SCANBENCH_WORKER_WORKER_H

#include <stdbool.h>

/* Runs until quit or until the supervisor is gone. Returns the exit status. launch: NULL; the
 * command of a launcher, such as mpirun, which the process becomes and which starts the ranks of a
 * problem in parts; or, of such a rank, the place of its pipes. */
int worker_main(const char *file, bool verbose, const char *launch);

#endif
