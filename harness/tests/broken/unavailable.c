/* Nothing is broken: it has no device, and says why. */
#include "mock.h"

static scan_status probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    (void)plugin;
    (void)index;
    (void)device;
    return host->fail(host, SCAN_UNAVAILABLE, "this plugin is for a device that is not made yet");
}

MOCK_PLUGIN(.probe = probe);
