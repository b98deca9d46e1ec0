/* Closes what it does not read from. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    static bool closed;
    if (!closed)
        close(STDIN_FILENO);
    closed = true;
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
