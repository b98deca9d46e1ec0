/* Writes its input, in device memory. */
#include "fake.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const scan_status status = fake_run(self, in, out);
    if (m->n)
        fake_data(in)[0] ^= 1;
    return status;
}

FAKE_PLUGIN(.run = run);
