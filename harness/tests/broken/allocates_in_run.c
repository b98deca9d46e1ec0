/* Takes its scratch from the host in run. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    void *scratch = m->host->allocate(m->host, 64, 64);
    const scan_status status = mock_run(self, in, out);
    m->host->release(m->host, scratch);
    return status;
}

MOCK_PLUGIN(.run = run);
