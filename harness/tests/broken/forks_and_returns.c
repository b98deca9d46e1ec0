/* Returns twice: there are two workers from then on. Once in each worker alone, lest the
 * processes double with every run. */
#include "mock.h"

static bool forked;

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const scan_status status = mock_run(self, in, out);
    if (!forked) {
        forked = true;
        if (fork() < 0)
            return SCAN_ERROR;
    }
    return status;
}

MOCK_PLUGIN(.run = run);
