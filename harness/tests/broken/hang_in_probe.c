/* Never returns in probe. */
#include "mock.h"

static scan_status probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    mock_hang();
    return mock_probe(host, plugin, index, device);
}

MOCK_PLUGIN(.probe = probe);
