/*
 * machine_load.h - what the whole machine does: load and stolen time, from the text of /proc
 */
#ifndef SCANBENCH_SYSTEM_MACHINE_LOAD_H
#define SCANBENCH_SYSTEM_MACHINE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

/* In ticks since the machine was started. */
typedef struct cpu_times {
    uint64_t total;
    uint64_t stolen; /* a hypervisor ran something else */
} cpu_times;

/* The whole text of a file, or NULL; released with free. */
char *machine_text(const char *path);

/* The sum over processing units ("0-3,8"; NULL: all) in the text of /proc/stat. false if it has
 * none of them. */
bool cpu_times_read(const char *stat, const char *pus, cpu_times *times_p);

/* The average load of the last minute in the text of /proc/loadavg. false if it is malformed. */
bool machine_load_read(const char *loadavg, double *load_p);

/* What `/proc/.../stat` says of one process: its parent, or -1 if it is malformed. The name of the
 * command may hold anything. */
int process_parent_read(const char *stat);

#endif
