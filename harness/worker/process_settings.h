/*
 * process_settings.h - what prctl and its relatives set, as numbers that can be compared
 */
#ifndef SCANBENCH_WORKER_PROCESS_SETTINGS_H
#define SCANBENCH_WORKER_PROCESS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROCESS_SETTINGS = 13, MEMORY_NODES_WORDS = 16 };

/* Of the process and the calling thread; what the system does not say is -1 or 0 each time. */
typedef struct process_settings {
    long values[PROCESS_SETTINGS];
    char thread_name[16];
    int adopts; /* orphans */
} process_settings;

/* The number behind `key` at the beginning of a line of a file; -1 where there is none. */
long number_in_file(const char *path, const char *key, int base);

void process_settings_read(process_settings *s_p);
/* Apart from `adopts`. */
bool process_settings_same(const process_settings *a, const process_settings *b);

/* Makes this process adopt orphans among its descendants, or no longer. */
void process_settings_adopt(bool adopts);

/* Where memory is placed. */
typedef struct memory_policy {
    int mode;
    unsigned long nodes[MEMORY_NODES_WORDS];
} memory_policy;

/* Of the memory at an address; NULL: what the calling thread allocates. */
void memory_policy_read(const void *address, memory_policy *p_p);
bool memory_policy_same(const memory_policy *a, const memory_policy *b);

#endif
