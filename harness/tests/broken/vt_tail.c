/* Trap 7: stores all values of the last thread, also those behind the output. */
#include "mock.h"

static const int64_t vt_values[] = {1, 2, 3, 4, 5, 7, 8};
static const scan_tunable vt = {.struct_size = sizeof(scan_tunable),
                                .name = "vt",
                                .summary = "values per thread",
                                .default_value = 3,
                                .values = vt_values,
                                .value_count = sizeof vt_values / sizeof *vt_values};
static const scan_tunable *const tunables[] = {&mock_block, &vt, NULL};

static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    const int64_t tile = problem->tunables[0] * problem->tunables[1];
    scan_problem whole = *problem;
    whole.tunables = &tile;
    scan_status status = mock_create(host, context, &whole, self_p);
    if (status == SCAN_OK)
        ((mock *)*self_p)->runs = (uint64_t)problem->tunables[1];
    return status;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    uint32_t *y = scan_host_pointer(out);
    const uint64_t vt_set = m->runs;
    mock_scan(m, scan_host_pointer(in), y);
    m->runs = vt_set;
    for (uint64_t i = m->n; i % vt_set; i++)
        y[i] = y[m->n - 1];
    return SCAN_OK;
}

MOCK_PLUGIN(.tunables = tunables, .create = create, .run = run);
