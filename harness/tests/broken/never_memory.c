/* Never has enough memory. */
#include "mock.h"

static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    (void)context;
    (void)problem;
    (void)self_p;
    return host->fail(host, SCAN_NO_MEMORY, "there is never enough");
}

MOCK_PLUGIN(.create = create);
