/* Does not give back what its instances take of the device's memory. */
#include "fake.h"

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    fake_taken += 512;
    return mock_create(host, plugin, context, problem, self_p);
}

FAKE_PLUGIN(.create = create, .run = fake_run);
