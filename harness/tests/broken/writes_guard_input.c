/* Pads its input to a whole tile, behind its last element. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    uint32_t *x = scan_host_pointer(in);
    for (uint64_t i = m->n; i < m->n + 3 && i % m->tile; i++)
        x[i] = 0;
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
