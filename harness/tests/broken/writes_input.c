/* Scans its input in place, then copies. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    uint32_t *x = scan_host_pointer(in);
    mock_scan(m, x, x);
    memcpy(scan_host_pointer(out), x, m->n * sizeof *x);
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
