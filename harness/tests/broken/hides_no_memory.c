/* Says it is ready where it is not. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    static mock nothing;
    if (mock_create(host, plugin, context, problem, self_p) != SCAN_OK)
        *self_p = &nothing;
    return SCAN_OK;
}

static void destroy(void *self)
{
    const mock *m = self;
    if (m->host)
        mock_destroy(self);
}

MOCK_PLUGIN(.create = create, .destroy = destroy);
