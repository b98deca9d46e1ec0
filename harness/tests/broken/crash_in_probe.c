/* Crashes in probe. */
#include "mock.h"

static scan_status probe(const scan_host *host, uint32_t index, scan_device *device)
{
    mock_crash();
    return mock_probe(host, index, device);
}

MOCK_PLUGIN(.probe = probe);
