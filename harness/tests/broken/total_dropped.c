/* Adds to each tile the sum of the one before it alone: right up to two tiles. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    uint32_t *y = scan_host_pointer(out);
    mock_upsweep(m, x);
    for (uint64_t t = 0; t < m->tiles; t++)
        mock_tile(m, x + t * m->tile, y + t * m->tile, mock_count(m, t), t ? m->spine[t - 1] : 0);
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
