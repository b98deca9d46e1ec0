/* Trap 3: the tree that sums a tile doubles its stride by shifting 2, so from four
 * elements on the sum lacks some; a single tile is right all the same. */
#include "mock.h"

static uint32_t tree(const uint32_t *x, uint64_t count, uint64_t width)
{
    uint32_t a[1024] = {0};
    memcpy(a, x, count * sizeof *a);
    for (uint64_t stride = 1; stride < width; stride <<= 2)
        for (uint64_t i = 2 * stride - 1; i < width; i += 2 * stride)
            a[i] += a[i - stride];
    return a[width - 1];
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint32_t *x = scan_host_pointer(in);
    for (uint64_t t = 0; t < m->tiles; t++)
        m->spine[t] = tree(x + t * m->tile, mock_count(m, t), m->tile);
    mock_spine(m);
    mock_downsweep(m, x, scan_host_pointer(out));
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
