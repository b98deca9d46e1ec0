/* Trap 6: counts one tile too few where n is a multiple of the tile. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    if (m->n && m->n % m->tile == 0)
        m->tiles = m->n / m->tile - 1;
    mock_scan(m, scan_host_pointer(in), scan_host_pointer(out));
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
