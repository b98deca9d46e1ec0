/* Gives nothing back where create fails. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    void *first = host->allocate(host, 64, 64);
    if (!first)
        return host->fail(host, SCAN_NO_MEMORY, "no memory");
    const scan_status status = mock_create(host, plugin, context, problem, self_p);
    if (status == SCAN_OK)
        host->release(host, first);
    return status;
}

MOCK_PLUGIN(.create = create);
