/* Marks the end of its input while it runs, and puts back what was there. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    volatile uint32_t *x = scan_host_pointer(in);
    if (m->n > 0) {
        const uint32_t last = x[m->n - 1];
        x[m->n - 1] = 0;
        x[m->n - 1] = last;
    }
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
