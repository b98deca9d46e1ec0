/* Never returns from run, and ignores being asked to end. */
#include "mock.h"

#include <signal.h>

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    signal(SIGTERM, SIG_IGN);
    mock_hang();
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
