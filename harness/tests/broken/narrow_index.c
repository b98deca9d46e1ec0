/* Trap 11: an index too narrow for n. 16 bits here, so that it takes no 16 GiB. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint64_t n = m->n;
    m->n = (uint16_t)n;
    m->tiles = (m->n + m->tile - 1) / m->tile;
    mock_scan(m, scan_host_pointer(in), scan_host_pointer(out));
    m->n = n;
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
