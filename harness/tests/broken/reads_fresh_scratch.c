/* Trap 9: takes scratch that nobody wrote for zeros. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    mock_upsweep(m, x);
    mock_spine(m);
    const uint32_t before = m->spine[m->tiles];
    for (uint64_t t = 0; t < m->tiles; t++)
        m->spine[t] += before;
    mock_downsweep(m, x, scan_host_pointer(out));
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
