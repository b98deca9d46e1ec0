#include "system/clock.h"

#include <math.h>
#include <time.h>

double clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void clock_sleep_ns(double ns)
{
    if (ns <= 0)
        return;
    const struct timespec pause = {.tv_sec = (time_t)(ns / 1e9), .tv_nsec = (long)fmod(ns, 1e9)};
    nanosleep(&pause, NULL);
}
