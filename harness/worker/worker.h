/*
 * worker.h - the process that loads one plugin file and does what it is told
 *
 * Commands, one message a line, and what is answered to each:
 *     bind      kind= core=     bound   binding= places= | failed reason=
 *     describe                  plugin ... and tunable ... lines, then end
 *     probe     plugin= device= device  status= name= driver= ... reason= in_words=
 *     job       ...             step, phase and done (run_job.h)
 *     quit
 * Before the first command it loads the file: loaded ns= printed= exports= export=, or
 * failed step= reason=, and then it ends. So it does where a command needs the machine,
 * which cannot be read: failed reason=.
 */
#ifndef SCANBENCH_WORKER_WORKER_H
#define SCANBENCH_WORKER_WORKER_H

/* Runs until quit or until the supervisor is gone. The exit status. */
int worker_main(const char *file, int verbose);

#endif
