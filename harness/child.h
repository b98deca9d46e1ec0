/*
 * child.h - a worker process as the supervisor sees it: started, told, listened to
 * with a deadline, ended
 */
#ifndef SCANBENCH_CHILD_H
#define SCANBENCH_CHILD_H

#include "protocol.h"
#include "scan_plugin.h"

#include <sys/types.h>

typedef enum child_event {
    CHILD_MESSAGE,     /* a message was read */
    CHILD_GONE,        /* it ended: child_end says how */
    CHILD_TIMEOUT,     /* nothing until the deadline */
    CHILD_INTERRUPTED, /* a signal asked the supervisor to stop */
    CHILD_GARBAGE,     /* it sent what is no message */
} child_event;

typedef struct child {
    pid_t pid; /* 0: not running */
    int pidfd;
    FILE *commands;
    int results;
    char *text; /* received, not yet consumed */
    size_t used, capacity, consumed;
    int wait_status; /* once ended */
} child;

/* Starts `scanbench worker` on a plugin file. SCAN_OK, or SCAN_ERROR and why. */
scan_status child_start(child *c_p, const char *file, bool verbose, char *reason, size_t size);

/* The stream to write commands to; a write to a dead worker fails silently and the
 * next child_receive tells. */
FILE *child_commands(child *c);

/* The next message within timeout_s seconds. *m_p points into the child's buffer and
 * is valid until the next call. */
child_event child_receive(child *c, double timeout_s, protocol_message *m_p);

/* How it ended, after CHILD_GONE: "killed by signal 11 (Segmentation fault)". */
void child_end(const child *c, char *text, size_t size);

/* Ends it: quit and, if that is not heeded, SIGTERM, a grace period, SIGKILL. At
 * once: no quit. Once the supervisor is to stop: SIGKILL alone. Releases everything;
 * nothing for a child that is not running. */
void child_stop(child *c, bool at_once);

#endif
