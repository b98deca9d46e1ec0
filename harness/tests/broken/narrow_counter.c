/* Counts its runs in too few bits, and takes the 256th for one that is done. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const bool done = (m->runs & 0xff) == 0xff;
    mock_run(self, in, out);
    if (done && m->n > 0 && m->n < 100)
        ((uint32_t *)scan_host_pointer(out))[m->n - 1] = 0;
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
