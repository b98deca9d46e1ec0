/* Installs a signal handler. */
#include "mock.h"

#include <signal.h>

static void ignore(int number)
{
    (void)number;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    signal(SIGSEGV, ignore);
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
