/* Lets others write the files it makes. */
#include "mock.h"

#include <sys/stat.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    umask(0);
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
