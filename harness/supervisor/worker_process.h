/*
 * child.h - a worker process as the supervisor sees it: started, told, listened to
 * with a deadline, ended
 */
#ifndef SCANBENCH_SUPERVISOR_WORKER_PROCESS_H
#define SCANBENCH_SUPERVISOR_WORKER_PROCESS_H

#include "protocol/message.h"
#include "scan_plugin.h"

#include <sys/types.h>

typedef enum worker_process_event {
    WORKER_MESSAGE,     /* a message was read */
    WORKER_GONE,        /* it ended: child_end says how */
    WORKER_TIMEOUT,     /* nothing until the deadline */
    WORKER_INTERRUPTED, /* a signal asked the supervisor to stop */
    WORKER_GARBAGE,     /* it sent what is no message */
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
scan_status worker_process_start(worker_process *c_p, const char *file, bool verbose, char *reason,
                                 size_t size);

/* The stream to write commands to; a write to a dead worker fails silently and the
 * next child_receive tells. */
FILE *worker_process_commands(worker_process *c);

/* The next message within timeout_s seconds. *m_p points into the child's buffer and
 * is valid until the next call. */
worker_process_event worker_process_receive(worker_process *c, double timeout_s,
                                            protocol_message *m_p);

/* How it ended, after CHILD_GONE: "killed by signal 11 (Segmentation fault)". */
void worker_process_end(const worker_process *c, char *text, size_t size);

/* Ends it: quit and, if that is not heeded, SIGTERM, a grace period, SIGKILL. At
 * once: no quit. Once the supervisor is to stop: SIGKILL alone. Releases everything;
 * nothing for a child that is not running. */
void worker_process_stop(worker_process *c, bool at_once);

#endif
