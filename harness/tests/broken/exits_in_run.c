/* Ends the process, as if all were well, in run. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock_run(self, in, out);
    exit(0);
}

MOCK_PLUGIN(.run = run);
