/* Sums floats in another order each time, and does not say so. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const float *x = scan_host_pointer(in);
    float *y = scan_host_pointer(out);
    const uint64_t tile = m->tile + m->runs++ % 7;
    float before = 0;
    float sum = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        if (i % tile == 0) {
            before += sum;
            sum = 0;
        }
        if (!m->inclusive)
            y[i] = before + sum;
        sum += x[i];
        if (m->inclusive)
            y[i] = before + sum;
    }
    return SCAN_OK;
}

MOCK_PLUGIN(.ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_F32)}}, .run = run);
