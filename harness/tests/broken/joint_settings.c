/* Right where one of its two tunables is at its default, wrong where neither is. */
#include "mock.h"

static const scan_tunable tunables[] = {MOCK_BLOCK,
                                        SCAN_TUNABLE_RANGE("depth", "steps looked ahead", 1, 1, 8)};

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    scan_status status = mock_create(host, plugin, context, problem, self_p);
    if (status == SCAN_OK && problem->tunables[0] != 64 && problem->tunables[1] != 1)
        ((mock *)*self_p)->inclusive = !((mock *)*self_p)->inclusive;
    return status;
}

MOCK_PLUGIN(SCAN_TUNABLES(tunables), .create = create);
