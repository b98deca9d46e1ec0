/* Opens a file in every create and does not close it. */
#include "mock.h"

#include <fcntl.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
        return host->fail(host, SCAN_ERROR, "/dev/null cannot be opened");
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
