/* Uses what it was not given. */
#include "mock.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    mock *m = host->allocate(host, sizeof *m, 64);
    *m = (mock){.host = host,
                .n = problem->n,
                .tile = (uint64_t)problem->tunables[0],
                .inclusive = problem->kind == SCAN_KIND_INCLUSIVE};
    m->tiles = (m->n + m->tile - 1) / m->tile;
    m->spine = host->allocate(host, (m->tiles + 1) * sizeof *m->spine, 64);
    *self_p = m;
    return SCAN_OK;
}

MOCK_PLUGIN(.create = create);
