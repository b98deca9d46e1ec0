/* Takes over the locale of the environment, decimal comma and all. */
#include "mock.h"

#include <locale.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    if (!setlocale(LC_ALL, ""))
        setlocale(LC_ALL, "C.UTF-8");
    setlocale(LC_CTYPE, "C.UTF-8");
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
