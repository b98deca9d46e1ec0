/* Trap 1: "serial scan" that adds the neighbour of the input, not of the output. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    uint32_t *y = scan_host_pointer(out);
    for (uint64_t i = 0; i < m->n; i++)
        if (m->inclusive)
            y[i] = i ? x[i] + x[i - 1] : x[i];
        else
            y[i] = i ? x[i - 1] + (i > 1 ? x[i - 2] : 0) : 0;
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
