/* Has no device and does not say why. */
#include "mock.h"

static scan_status probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    (void)host;
    (void)plugin;
    (void)index;
    (void)device;
    return SCAN_UNAVAILABLE;
}

MOCK_PLUGIN(.probe = probe);
