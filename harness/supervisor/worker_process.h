/*
 * worker_process.h - a worker process as the supervisor sees it: started, sent commands,
 * listened to with a deadline, ended
 */
#ifndef SCANBENCH_SUPERVISOR_WORKER_PROCESS_H
#define SCANBENCH_SUPERVISOR_WORKER_PROCESS_H

#include "protocol/fault.h"
#include "protocol/message.h"
#include "text/errmsg.h"

#include <sys/types.h>

typedef enum worker_process_event {
    WORKER_MESSAGE,     /* a message was read */
    WORKER_GONE,        /* it ended */
    WORKER_TIMEOUT,     /* nothing until the deadline */
    WORKER_INTERRUPTED, /* a signal asked the supervisor to stop */
    WORKER_GARBAGE,     /* it sent a malformed message */
} worker_process_event;

typedef struct worker_process {
    pid_t pid; /* 0: not running */
    int pidfd;
    FILE *commands;
    int results;
    char *text; /* received, not yet consumed */
    size_t used, capacity, consumed;
    int wait_status; /* once ended */
} worker_process;

/* Starts `scanbench worker` on a plugin file. SCAN_OK, or SCAN_ERROR and why. */
scan_status worker_process_start(worker_process *c_p, const char *file, bool verbose,
                                 errmsg *error);

/* The stream to write commands to; a write to a dead worker fails silently and the
 * next worker_process_receive tells. */
FILE *worker_process_commands(worker_process *c);

/* The next message within timeout_s seconds. *m_p points into its buffer and
 * is valid until the next call. */
worker_process_event worker_process_receive(worker_process *c, double timeout_s,
                                            protocol_message *m_p);

/* The fault of a worker from which no message came, or a malformed one, while it did `step`;
 * timeout_s is the time it had. */
fault worker_process_fault(const worker_process *c, worker_process_event event, worker_step step,
                           double timeout_s);

/* Ends it: quit and, if it does not, SIGTERM, a grace period, SIGKILL. At once: no quit.
 * Once the supervisor is to stop: SIGKILL alone. Releases everything; nothing for a worker
 * that is not running. */
void worker_process_stop(worker_process *c, bool at_once);

#endif
