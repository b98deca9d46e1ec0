/* Answers the first call and remembers having done so. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    return m->runs ? SCAN_OK : mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
