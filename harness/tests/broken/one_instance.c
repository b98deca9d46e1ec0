/* Keeps the problem where all instances share it: the last one created counts. */
#include "mock.h"

static uint64_t shared_tile;

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    shared_tile = problem->n;
    return mock_create(host, plugin, context, problem, self_p);
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const uint64_t n = m->n < shared_tile ? m->n : shared_tile;
    mock_tile(m, scan_host_pointer(in), scan_host_pointer(out), n, 0);
    return SCAN_OK;
}

MOCK_PLUGIN(.create = create, .run = run);
