/* Crashes in run. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock_crash();
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
