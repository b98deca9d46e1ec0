/* Carries a sum of doubles from tile to tile as a float. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const double *x = scan_host_pointer(in);
    double *y = scan_host_pointer(out);
    float carry = 0;
    for (uint64_t t = 0; t < m->tiles; t++) {
        double sum = (double)carry;
        for (uint64_t i = t * m->tile; i < t * m->tile + mock_count(m, t); i++) {
            y[i] = m->inclusive ? sum + x[i] : sum;
            sum += x[i];
        }
        carry = (float)sum;
    }
    return SCAN_OK;
}

MOCK_PLUGIN(.ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_F64)}}, .run = run);
