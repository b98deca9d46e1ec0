/* A tail of vector code that is wrong behind four whole vectors of eight, where four to
 * six elements are left. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    mock_run(self, in, out);
    uint32_t *y = scan_host_pointer(out);
    const uint64_t rest = m->n % 8;
    if (m->n / 8 == 4 && rest >= 4 && rest <= 6)
        y[m->n - 1]--;
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
