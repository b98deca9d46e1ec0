/* Forgets 100 bytes of its own in every create. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    char *volatile lost = malloc(100);
    if (lost)
        lost[0] = 1;
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
