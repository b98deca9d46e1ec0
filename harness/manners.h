/*
 * manners.h - what a process has that a plugin must leave as it is, and what it takes
 * that a plugin must give back
 */
#ifndef SCANBENCH_MANNERS_H
#define SCANBENCH_MANNERS_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { MANNERS_SIGNALS = 65, MANNERS_TIMERS = 3, MANNERS_TEXT_BYTES = 80 };

/* What a descriptor leads to; zeros where it is closed. */
typedef struct manners_file {
    dev_t device;
    ino_t inode;
} manners_file;

/* The state that outlives a call. */
typedef struct manners {
    cpu_set_t affinity; /* of the calling thread */
    int rounding;
    uint32_t float_control; /* flush-to-zero, denormals-are-zero, masks; 0: unknown */
    struct sigaction actions[MANNERS_SIGNALS];
    sigset_t blocked;
    const void *signal_stack; /* NULL: none of its own */
    int death_signal;         /* sent when the parent ends */
    bool timers[MANNERS_TIMERS];
    char locale[256];
    char folder[256];
    mode_t mask;          /* umask */
    uint64_t environment; /* a hash, whatever the order */
    manners_file standard[3];
    struct rlimit limits[RLIM_NLIMITS];
    int nice, policy;
    pid_t group, session;
} manners;

void manners_read(manners *m_p);
/* What differs, in words ("the CPU affinity"), or NULL. */
const char *manners_changed(const manners *before, const manners *after);
/* Does arithmetic round to nearest and keep denormal numbers? */
bool manners_float_is_default(const manners *m);

/* What the process holds. */
typedef struct manners_usage {
    uint64_t descriptors;
    uint64_t threads;
    uint64_t heap_bytes;   /* in use, of malloc */
    uint64_t mapped_bytes; /* of address space */
} manners_usage;

void manners_measure(manners_usage *usage_p);

/* Is there a child process, running or ended? */
bool manners_has_children(void);

/* Turns stdout into a file that nobody sees; a handle for manners_printed. -1 where that
 * is not possible, and then nothing is changed. */
int manners_capture(void);
/* Points stdout at stderr again, where what was printed goes too; its beginning is in
 * `text`, "" if nothing was; MANNERS_TEXT_BYTES are enough to know it by. */
void manners_printed(int captured, char *text, size_t size);

#endif
