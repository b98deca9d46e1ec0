/* Keeps which kind it was made for where all instances do. */
#include "mock.h"

static bool inclusive;

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    return mock_create(host, plugin, context, problem, self_p);
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    m->inclusive = inclusive;
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.create = create, .run = run);
