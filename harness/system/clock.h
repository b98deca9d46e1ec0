/*
 * clock.h - the clock with which all times are taken
 */
#ifndef SCANBENCH_SYSTEM_CLOCK_H
#define SCANBENCH_SYSTEM_CLOCK_H

#include <time.h>

/* The time of the monotonic clock, in ns. */
double clock_now_ns(void);
/* Of another, such as the CPU time of a thread; 0 where the system does not tell. */
double clock_read_ns(clockid_t clock);

/* Sleeps at least that long, unless a signal comes; nothing if `ns` is not more than 0. */
void clock_sleep_ns(double ns);

#endif
