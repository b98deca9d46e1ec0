/*
 * worker.h - the process that loads one plugin file and follows commands
 *
 * Commands, one message per line, and the answers to each:
 *     number    serial=         none; all answers repeat the serial from then on
 *     bind      kind= core=     bound   binding= places= python= | failed reason=
 *     describe                  plugin ... and tunable ... lines, then end
 *     probe     plugin= device= device  name= driver= ... fault= ...
 *     job       ...             step (fault.h) and done (trial.h), or phase and waits (visit.h)
 *     visit, release, close, drop     step, phase, watch, waits and done (visit.h)
 *     quit
 * Before the first command the worker loads the file and answers: loaded ns= printed= exports=
 * export=, or failed step= reason=, and then ends. It also ends, with failed reason=, if a command
 * needs the machine's topology and that cannot be read.
 */
#ifndef SCANBENCH_WORKER_WORKER_H
#define SCANBENCH_WORKER_WORKER_H

#include "loader/loader.h"
#include "worker/python_process.h"
#include "worker/trial.h"

/* Runs until quit or until the supervisor is gone. Returns the exit status. launch: NULL; the
 * command of a launcher, such as mpirun, which the process becomes and which starts the ranks of a
 * problem in parts; or, of such a rank, the place of its pipes. */
int worker_main(const char *file, bool verbose, const char *launch);

/* ---- of worker.c and commands.c ---- */

typedef struct worker {
    FILE *commands;
    FILE *out;
    uint64_t serial; /* of the command that is obeyed */
    loader_module module;
    python_process *python; /* of a plugin written in Python; or NULL */
    cpu_topology *machine;
    worker_host host;
    bool verbose;
    fault_part load_changed;             /* of the process */
    const volatile sig_atomic_t *forked; /* set in a process that the plugin forked */
    const scan_plugin *open;             /* whose memory context is open, or NULL */
    uint32_t device;
    void *context;
    displacement displacement;
    spot_table spots;
    trial *open_trials; /* between one visit and the next */
    worker_watch watch;
    const char *place;       /* of its pipes, for a rank that a launcher started; or NULL */
    const scan_ranks *ranks; /* of rank 0, which has joined the others; or NULL */
    size_t in_ranks;         /* the number of the plugin that joined them */
} worker;

/* false: the worker is to end, because the supervisor says so or cannot be answered, or because the
 * command is unknown. */
bool worker_obey(worker *w, const protocol_message *m);

/* Reports a failure outside the steps of loading. false if that could not be sent. */
bool worker_send_failed(FILE *out, const char *reason);

#endif
