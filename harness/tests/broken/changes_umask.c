/* Lets others write the files it makes. */
#include "mock.h"

#include <sys/stat.h>

static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    umask(0);
    return mock_create(host, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
