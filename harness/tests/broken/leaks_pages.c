/* Maps memory in every create and does not unmap it. */
#include "mock.h"

#include <sys/mman.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    char *page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return host->fail(host, SCAN_NO_MEMORY, "mmap failed");
    *page = 1;
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
