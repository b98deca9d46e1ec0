/* Refuses without a word. */
#include "mock.h"

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)host;
    (void)plugin;
    (void)context;
    (void)problem;
    return SCAN_UNSUPPORTED;
}

MOCK_PLUGIN(.supports = supports);
