/*
 * machine_state.h - what the whole machine does, from the text of /proc and /sys: load and stolen
 * time, clocks, and settings that change what a processor does
 */
#ifndef SCANBENCH_SYSTEM_MACHINE_STATE_H
#define SCANBENCH_SYSTEM_MACHINE_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* In ticks since the machine was started. */
typedef struct cpu_times {
    uint64_t total;
    uint64_t stolen; /* a hypervisor ran something else */
    uint64_t busy;   /* with processes */
    unsigned units;  /* of which this is the sum; 0: all of the machine */
} cpu_times;

/* The whole text of a file, or NULL; released with free. */
char *machine_text(const char *path);

/* Is the number of a processing unit in a list such as "0-3,8"? */
bool cpu_list_has(const char *list, unsigned long pu);

#define CPU_FOLDER "/sys/devices/system/cpu"

/* The same list with all other hardware threads of the cores of its processing units, as CPU_FOLDER
 * knows them. false if it names none or they do not fit. */
bool cpu_list_of_cores(const char *list, const char *folder, char *text, size_t size);

/* The sum over processing units ("0-3,8"; NULL: all) in the text of /proc/stat. false if it has
 * none of them. */
bool cpu_times_read(const char *stat, const char *pus, cpu_times *times_p);

/* The average load of the last minute in the text of /proc/loadavg. false if it is malformed. */
bool machine_load_read(const char *loadavg, double *load_p);

/* What `/proc/.../stat` says of one process: its parent, or -1 if it is malformed. The name of the
 * command may hold anything. */
int process_parent_read(const char *stat);

/* ---- the clock of a processing unit, where the system measures it ---- */

/* The clock now in MHz: cpufreq's, or that of /proc/cpuinfo. 0 if the system does not say. */
unsigned cpu_clock_mhz(unsigned pu);

/* The clock that /proc/cpuinfo has for it. 0 without the flag `aperfmperf`: without those counters
 * the kernel prints a constant there, as in most virtual machines. */
unsigned cpu_clock_from_info(FILE *info, unsigned pu);

/* ---- settings, in one word each ---- */

enum { CPU_SETTING_BYTES = 64 };

typedef struct cpu_settings {
    /* "" where the system does not say */
    char governor[CPU_SETTING_BYTES]; /* of cpufreq, of the first processing unit */
    char turbo[CPU_SETTING_BYTES];    /* on, off */
    char smt[CPU_SETTING_BYTES];      /* on, off: do cores run several threads? */
    char aslr[CPU_SETTING_BYTES];     /* on, off: are addresses random? */
} cpu_settings;

void cpu_settings_read(cpu_settings *settings_p);

/* "on" or "off" for a file that holds 1 (or more) or 0; inverted: the other way round. "" for any
 * other text, and for NULL. */
const char *cpu_setting_word(const char *text, int inverted);

#endif
