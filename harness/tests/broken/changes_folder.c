/* Goes to another folder. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    if (chdir("/") != 0)
        return host->fail(host, SCAN_ERROR, "chdir failed");
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
