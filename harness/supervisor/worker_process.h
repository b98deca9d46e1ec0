/*
 * worker_process.h - starts a worker process, sends it commands, receives its messages with a
 * deadline, and ends it
 */
#ifndef SCANBENCH_SUPERVISOR_WORKER_PROCESS_H
#define SCANBENCH_SUPERVISOR_WORKER_PROCESS_H

#include "protocol/fault.h"
#include "protocol/message.h"
#include "text/errmsg.h"

#include <sys/types.h>

typedef enum worker_process_event {
    WORKER_MESSAGE,     /* a message was read */
    WORKER_GONE,        /* the worker ended */
    WORKER_TIMEOUT,     /* no message until the deadline */
    WORKER_INTERRUPTED, /* a signal asked the supervisor to stop */
    WORKER_GARBAGE,     /* the worker sent a malformed message, or one with another number */
} worker_process_event;

typedef struct worker_process {
    pid_t pid;     /* 0: not running */
    bool launched; /* it is a launcher, whose children are the ranks */
    int pidfd;
    FILE *commands; /* a write to a dead worker fails silently: the next receive reports it */
    int results;
    char *text; /* received, not yet consumed */
    size_t used, capacity, consumed;
    uint64_t number; /* of the last command: every answer repeats it; 0: none was sent */
    int wait_status; /* valid after it has ended */
} worker_process;

/* Starts `scanbench worker` on a plugin file. launcher: NULL, or the command that starts it as
 * several ranks (worker/worker.h). SCAN_OK, or SCAN_ERROR and why. */
scan_status worker_process_start(worker_process *c_p, const char *file, const char *launcher,
                                 bool verbose, errmsg *error);

/* Numbers the commands that follow, with a number that nobody can know in advance: an answer
 * without it is garbage, be it an old one or one that the plugin wrote into the pipe. */
void worker_process_number(worker_process *c);

/* Waits up to timeout_s seconds for the next message. *m_p points into the worker's buffer and is
 * valid until the next call. */
worker_process_event worker_process_receive(worker_process *c, double timeout_s,
                                            protocol_message *m_p);

/* The fault of a worker that sent no message, or a malformed one, during `step`; timeout_s is the
 * time it had. */
fault worker_process_fault(const worker_process *c, worker_process_event event, worker_step step,
                           double timeout_s);

/* Ends the worker: sends quit and, if it does not end, SIGTERM and, a second later, SIGKILL.
 * at_once: without quit. After an interrupt: only SIGKILL; but a launcher always has time to remove
 * what its ranks share. Releases everything; does nothing for a worker that is not running. */
void worker_process_stop(worker_process *c, bool at_once);

#endif
