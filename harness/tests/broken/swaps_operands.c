/* Joins the carry to each tile from the wrong side: right for all that commutes. */
#include "mock.h"

typedef struct pair {
    uint32_t a, b;
} pair;

static pair join(pair left, pair right)
{
    return (pair){left.a * right.a, left.b * right.a + right.b};
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const pair *x = scan_host_pointer(in);
    pair *y = scan_host_pointer(out);
    pair carry = {1, 0};
    for (uint64_t t = 0; t < m->tiles; t++) {
        const uint64_t first = t * m->tile;
        pair sum = {1, 0};
        for (uint64_t i = first; i < first + mock_count(m, t); i++) {
            const pair next = join(sum, x[i]);
            y[i] = join(m->inclusive ? next : sum, carry);
            sum = next;
        }
        carry = join(carry, sum);
    }
    return SCAN_OK;
}

MOCK_PLUGIN(.ops = {{SCAN_OP_AFFINE, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_U32X2)}}, .run = run);
