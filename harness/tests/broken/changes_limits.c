/* Takes no more than a day, and nobody else may either. */
#include "mock.h"

#include <sys/resource.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0)
        return host->fail(host, SCAN_ERROR, "getrlimit failed");
    limit.rlim_cur = 86400;
    if (setrlimit(RLIMIT_CPU, &limit) != 0)
        return host->fail(host, SCAN_ERROR, "setrlimit failed");
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
