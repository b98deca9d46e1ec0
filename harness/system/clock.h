/*
 * clock.h - the clock with which all times are taken
 */
#ifndef SCANBENCH_SYSTEM_CLOCK_H
#define SCANBENCH_SYSTEM_CLOCK_H

/* The time of the monotonic clock, in ns. */
double clock_now_ns(void);

/* Sleeps at least that long, unless a signal comes; nothing if `ns` is not more than 0. */
void clock_sleep_ns(double ns);

#endif
