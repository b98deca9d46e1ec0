/* Right for its default and wrong at the ends of what it declares. */
#include "mock.h"

static const scan_tunable tunables[] = {
    MOCK_BLOCK, SCAN_TUNABLE_RANGE("chunk", "elements a step", 2048, 1025, 1 << 20)};

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    scan_status status = mock_create(host, plugin, context, problem, self_p);
    if (status == SCAN_OK)
        ((mock *)*self_p)->runs = (uint64_t)problem->tunables[1];
    return status;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    const uint64_t set = m->runs;
    mock_run(self, in, out);
    m->runs = set;
    if (set != 2048 && m->n > 0)
        ((uint32_t *)scan_host_pointer(out))[m->n - 1]--;
    return SCAN_OK;
}

MOCK_PLUGIN(SCAN_TUNABLES(tunables), .create = create, .run = run);
