/* Records a time under a name of its own. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const scan_status status = mock_run(self, in, out);
    if (m->host->recording)
        m->host->record(m->host, "Scan Kernel", 1);
    return status;
}

MOCK_PLUGIN(.run = run);
