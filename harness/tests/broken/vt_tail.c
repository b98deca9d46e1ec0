/* Trap 7: stores all values of the last thread, also those behind the output. */
#include "mock.h"

static const int64_t vt_values[] = {1, 2, 3, 4, 5, 7, 8};
static const scan_tunable tunables[] = {MOCK_BLOCK,
                                        SCAN_TUNABLE_LIST("vt", "values per thread", 3, vt_values)};

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    const int64_t tile = problem->tunables[0] * problem->tunables[1];
    scan_problem whole = *problem;
    whole.tunables = &tile;
    scan_status status = mock_create(host, plugin, context, &whole, self_p);
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

MOCK_PLUGIN(SCAN_TUNABLES(tunables), .create = create, .run = run);
