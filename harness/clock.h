/*
 * clock.h - the clock that all times are taken with
 */
#ifndef SCANBENCH_CLOCK_H
#define SCANBENCH_CLOCK_H

/* Of the monotonic clock, in ns. */
double clock_now_ns(void);

#endif
