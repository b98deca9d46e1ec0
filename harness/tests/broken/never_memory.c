/* Never has enough memory. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    (void)problem;
    (void)self_p;
    return host->fail(host, SCAN_NO_MEMORY, "there is never enough");
}

MOCK_PLUGIN(.create = create);
