/* Writes the element in front of the output. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    uint32_t *y = scan_host_pointer(out);
    y[-1] = 0;
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
