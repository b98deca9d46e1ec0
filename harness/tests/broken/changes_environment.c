/* Tells a library something by way of the environment. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    if (setenv("MOCK_THREADS", "1", 1) != 0)
        return host->fail(host, SCAN_ERROR, "setenv failed");
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
