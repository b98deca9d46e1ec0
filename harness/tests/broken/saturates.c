/* Trap 13: signed sums that stop at the type's end instead of wrapping. */
#include "mock.h"

static int32_t add(int32_t a, int32_t b)
{
    const int64_t sum = (int64_t)a + b;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const int32_t *x = scan_host_pointer(in);
    int32_t *y = scan_host_pointer(out);
    int32_t sum = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        const int32_t next = add(sum, x[i]);
        y[i] = m->inclusive ? next : sum;
        sum = next;
    }
    return SCAN_OK;
}

MOCK_PLUGIN(.ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32)}}, .run = run);
