/* Declares what it then refuses, but for the empty scan. */
#include "mock.h"

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    if (problem->n > 0)
        return host->fail(host, SCAN_UNSUPPORTED, "there is something to scan");
    return SCAN_OK;
}

MOCK_PLUGIN(.supports = supports);
