/* Writes in front of the input, in device memory. */
#include "fake.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    memset(fake_data(in) - 4, 0, 4);
    return fake_run(self, in, out);
}

FAKE_PLUGIN(.run = run);
