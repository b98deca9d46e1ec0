/*
 * process_state.h - the process state that a plugin must not change, and the resources that it must
 * release
 */
#ifndef SCANBENCH_WORKER_PROCESS_STATE_H
#define SCANBENCH_WORKER_PROCESS_STATE_H

#include "protocol/fault.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { PROCESS_STATE_SIGNALS = 65, PROCESS_STATE_TIMERS = 3 };
enum { PROCESS_SETTINGS = 13, MEMORY_NODES_WORDS = 16 };

/* Where memory is placed. */
typedef struct memory_policy {
    int mode;
    unsigned long nodes[MEMORY_NODES_WORDS];
} memory_policy;

/* What is done with a signal. */
typedef struct process_signal {
    uintptr_t handler;
    unsigned flags; /* that matter: without a handler, only SA_NOCLDWAIT */
    int blocked;
} process_signal;

/* What a descriptor leads to, and how; zeros where it is closed. */
typedef struct process_file {
    dev_t device;
    ino_t inode;
    int flags;            /* such as O_NONBLOCK, which all programs share that have it open */
    int descriptor_flags; /* FD_CLOEXEC */
} process_file;

/* State that a call may change for good. Its members are compared byte by byte. */
typedef struct process_state {
    cpu_set_t affinity; /* of the calling thread */
    int rounding;
    uint64_t float_control; /* rounding, precision, flush-to-zero, masks; 0: unknown */
    process_signal signals[PROCESS_STATE_SIGNALS];
    const void *signal_stack; /* NULL: none */
    int death_signal;         /* sent when the parent ends */
    bool timers[PROCESS_STATE_TIMERS];
    char locale[256]; /* of the calling thread, and the process' */
    char folder[256];
    mode_t mask;          /* umask */
    uint64_t environment; /* a hash that does not depend on the order */
    process_file standard[3];
    struct rlimit limits[RLIM_NLIMITS];
    int nice, policy;
    pid_t group, session;
    /* What prctl and its relatives set, of the process and the calling thread; what the system does
     * not say is -1 or 0 each time. */
    long settings[PROCESS_SETTINGS];
    char thread_name[16];
    int adopts;              /* orphans */
    memory_policy placement; /* of what the calling thread allocates */
} process_state;

void process_state_read(process_state *m_p);
/* The first part that differs, or FAULT_NO_PART. */
fault_part process_state_changed(const process_state *before, const process_state *after);
/* Does arithmetic round to nearest and keep subnormal numbers? */
bool process_state_float_is_default(const process_state *m);

/* Of the memory at an address; NULL: what the calling thread allocates. */
void memory_policy_read(const void *address, memory_policy *p_p);
bool memory_policy_same(const memory_policy *a, const memory_policy *b);

/* What the process holds. */
typedef enum process_held {
    HELD_DESCRIPTORS,
    HELD_THREADS,
    HELD_TIMERS,                    /* of timer_create */
    HELD_SEGMENTS,                  /* of shared memory, that this process has created */
    HELD_COUNTED,                   /* those before are counts */
    HELD_HEAP_BYTES = HELD_COUNTED, /* in use, of malloc */
    HELD_MAPPED_BYTES,              /* of address space */
    HELD_LOCKED_KIB,                /* by mlock */
    HELD_DEVICE_BYTES,              /* not measured here */
    HELD_KINDS
} process_held;

enum { PROCESS_STATE_FOLDERS = 7 };

typedef struct process_state_usage {
    uint64_t held[HELD_KINDS];
    /* How many files there are in each folder for temporary files, shared memory and queues, and
     * how many semaphores and queues of System V, whoever made them. */
    uint64_t files[PROCESS_STATE_FOLDERS];
} process_state_usage;

void process_state_measure(process_state_usage *usage_p);

/* The threads of this process but for the calling one, `most` at most; how many. */
enum { PROCESS_STATE_THREADS = 1024 };
size_t process_state_others(pid_t *ids_p, size_t most);
/* Does another thread than the calling one run, or wait for a core to run on? */
bool process_state_others_run(void);

/* Is there a child process, running or ended? An interpreter of Python (0: none) counts only if it
 * has one. */
bool process_state_has_children(pid_t python);

/* Redirects stdout to an unnamed file. Returns a handle for process_state_printed, or -1 if that is
 * not possible; then nothing is changed. */
int process_state_capture(void);
/* Redirects stdout to stderr again and copies what was printed there. `text` gets the beginning of
 * it, "" if nothing was printed; WORKER_PRINTED_BYTES are enough to recognise it. */
void process_state_printed(int captured, char *text, size_t size);

#endif
