/* Writes behind the output, in device memory. */
#include "fake.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    memset(fake_data(out) + m->n * sizeof(uint32_t), 0, 8);
    return fake_run(self, in, out);
}

FAKE_PLUGIN(.run = run);
