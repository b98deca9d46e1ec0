#include "system/unpredictable.h"

#include "system/clock.h"

#include <sys/random.h>
#include <unistd.h>

uint64_t unpredictable(void)
{
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number)
        return number;
    /* A system without it, or one that has just started: still nothing that a seed decides. */
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return ((uint64_t)clock_now_ns() ^ (uint64_t)getpid() << 40) * golden;
}

uint64_t unpredictable_below(uint64_t limit)
{
    return unpredictable() % limit;
}
