/* Trap 5: steps that double up to n, not up to the tile, in a counter too small for it:
 * beyond half its range it never ends. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    volatile uint64_t steps = 0;
    for (uint16_t stride = 1; stride < m->n; stride = (uint16_t)(stride * 2))
        steps++;
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
