/* Leaves an alarm that nobody waits for. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    alarm(3600);
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
