/*
 * cpu_clock.h - the clock of a processing unit, where the system measures it
 */
#ifndef SCANBENCH_SYSTEM_CPU_CLOCK_H
#define SCANBENCH_SYSTEM_CPU_CLOCK_H

#include <stdio.h>

/* The clock now in MHz: cpufreq's, or that of /proc/cpuinfo. 0 if the system does not say. */
unsigned cpu_clock_mhz(unsigned pu);

/* The clock that /proc/cpuinfo has for it. 0 without the flag `aperfmperf`: without those counters
 * the kernel prints a constant there, as in most virtual machines. */
unsigned cpu_clock_from_info(FILE *info, unsigned pu);

#endif
