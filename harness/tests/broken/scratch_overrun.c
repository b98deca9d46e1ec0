/* Writes one sum too many into its spine. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const scan_status status = mock_run(self, in, out);
    m->spine[m->tiles + 1] = 0;
    return status;
}

MOCK_PLUGIN(.run = run);
