/* Crashes in supports. */
#include "mock.h"

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)host;
    (void)plugin;
    (void)context;
    (void)problem;
    mock_crash();
    return SCAN_OK;
}

MOCK_PLUGIN(.supports = supports);
