/* Finds a device under every index. */
#include "mock.h"

static scan_status probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    (void)index;
    return mock_probe(host, plugin, 0, device);
}

MOCK_PLUGIN(.probe = probe);
