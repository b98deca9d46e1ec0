/* Trap 7: values per thread of which three are right, whatever the setting. */
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
    const uint32_t *x = scan_host_pointer(in);
    const uint64_t vt_set = m->runs;
    for (uint64_t t = 0; t < m->tiles; t++)
        m->spine[t] = mock_sum(x + t * m->tile, mock_count(m, t) * 3 / vt_set);
    mock_spine(m);
    mock_downsweep(m, x, scan_host_pointer(out));
    return SCAN_OK;
}

MOCK_PLUGIN(SCAN_TUNABLES(tunables), .create = create, .run = run);
