/*
 * clock.h - the clock with which all times are taken
 */
#ifndef SCANBENCH_SYSTEM_CLOCK_H
#define SCANBENCH_SYSTEM_CLOCK_H

/* The time of the monotonic clock, in ns. */
double clock_now_ns(void);

#endif
