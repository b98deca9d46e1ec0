/* The maximum of nothing is the least value, not 0. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const int32_t *x = scan_host_pointer(in);
    int32_t *y = scan_host_pointer(out);
    int32_t best = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        const int32_t next = x[i] > best ? x[i] : best;
        y[i] = m->inclusive ? next : best;
        best = next;
    }
    return SCAN_OK;
}

MOCK_PLUGIN(.ops = {{SCAN_OP_MAX, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32)}}, .run = run);
