/* Accepts the problem and refuses to do it. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    (void)in;
    (void)out;
    return m->host->fail(m->host, SCAN_UNSUPPORTED, "not today");
}

MOCK_PLUGIN(.run = run);
