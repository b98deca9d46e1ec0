/* Reads the input of the first run in all that follow. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    if (m->runs == 0)
        memcpy(m->spine + m->tiles + 1, &in, sizeof in);
    else
        memcpy(&in, m->spine + m->tiles + 1, sizeof in);
    return mock_run(self, in, out);
}

/* With room for a pointer behind the spine. */
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    scan_status status = mock_create(host, plugin, context, problem, self_p);
    if (status != SCAN_OK)
        return status;
    mock *m = *self_p;
    host->release(host, m->spine);
    m->spine = host->allocate(host, (m->tiles + 1) * sizeof *m->spine + sizeof(scan_buffer), 64);
    if (m->spine)
        return SCAN_OK;
    host->release(host, m);
    return host->fail(host, SCAN_NO_MEMORY, "no memory for the spine");
}

MOCK_PLUGIN(.create = create, .run = run);
