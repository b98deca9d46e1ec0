/* Trap 2: leaves early where the tile is not whole. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    uint32_t *y = scan_host_pointer(out);
    mock_upsweep(m, x);
    mock_spine(m);
    for (uint64_t t = 0; t < m->n / m->tile; t++)
        mock_tile(m, x + t * m->tile, y + t * m->tile, m->tile, m->spine[t]);
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
