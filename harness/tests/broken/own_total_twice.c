/* Takes the inclusive scan of the tile sums for the exclusive one: from the second tile
 * on, each has its own sum in it already. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    mock_upsweep(m, x);
    for (uint64_t t = 1; t < m->tiles; t++)
        m->spine[t] += m->spine[t - 1];
    if (m->tiles)
        m->spine[0] = 0;
    mock_downsweep(m, x, scan_host_pointer(out));
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
