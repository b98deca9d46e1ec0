/*
 * clock.h - the clock that all times are taken with
 */
#ifndef SCANBENCH_SYSTEM_CLOCK_H
#define SCANBENCH_SYSTEM_CLOCK_H

/* Of the monotonic clock, in ns. */
double clock_now_ns(void);

#endif
