/* Declares what it does not do: its tiles read what others have written. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    uint32_t *y = scan_host_pointer(out);
    for (uint64_t t = m->tiles; t-- > 0;)
        mock_tile(m, x + t * m->tile, y + t * m->tile, mock_count(m, t), 0);
    for (uint64_t t = 1; t < m->tiles; t++) {
        const uint32_t carry = mock_sum(x, t * m->tile);
        for (uint64_t i = 0; i < mock_count(m, t); i++)
            y[t * m->tile + i] += carry;
    }
    return SCAN_OK;
}

MOCK_PLUGIN(.flags = SCAN_FLAG_IN_PLACE, .run = run);
