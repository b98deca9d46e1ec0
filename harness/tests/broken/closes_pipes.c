/* Closes every file it did not open. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    for (int i = 3; i < 1024; i++)
        close(i);
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
