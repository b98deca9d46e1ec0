/* Trap 8, a level further: tile sums of tile sums are scanned by one block, so what lies
 * behind block * block * block elements gets no carry. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    mock_upsweep(m, x);
    mock_spine(m);
    for (uint64_t t = m->tile * m->tile; t < m->tiles; t++)
        m->spine[t] = 0;
    mock_downsweep(m, x, scan_host_pointer(out));
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
