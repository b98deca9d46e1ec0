/* Leaves another rounding mode behind. */
#include "mock.h"

#include <fenv.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    fesetround(FE_UPWARD);
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
