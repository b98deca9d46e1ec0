/* Returns twice: there are two workers from then on. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const scan_status status = mock_run(self, in, out);
    if (m->runs == 1 && fork() < 0)
        return SCAN_ERROR;
    return status;
}

MOCK_PLUGIN(.run = run);
