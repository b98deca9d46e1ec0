/* Trap 6: takes the last element of nothing. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    if (m->n == 0)
        mock_crash();
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
