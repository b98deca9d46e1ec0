/* Binds the thread that calls it. */
#include "mock.h"

#include <sched.h>

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    /* To what it is not bound to yet: all that the system gives, or the first of it. */
    const int before = CPU_COUNT(&set);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        CPU_SET(i, &set);
    sched_setaffinity(0, sizeof set, &set);
    sched_getaffinity(0, sizeof set, &set);
    if (CPU_COUNT(&set) == before && before > 1) {
        size_t first = 0;
        while (!CPU_ISSET(first, &set))
            first++;
        CPU_ZERO(&set);
        CPU_SET(first, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
