#include "system/clock.h"

#include <math.h>

double clock_read_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double clock_now_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC);
}

void clock_sleep_ns(double ns)
{
    if (ns <= 0)
        return;
    const struct timespec pause = {.tv_sec = (time_t)(ns / 1e9), .tv_nsec = (long)fmod(ns, 1e9)};
    nanosleep(&pause, NULL);
}
