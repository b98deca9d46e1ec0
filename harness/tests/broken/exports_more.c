/* Lets everybody see a function of its own. */
#include "mock.h"

SCAN_EXPORT uint32_t exports_more_sum(const uint32_t *x, uint64_t count);

uint32_t exports_more_sum(const uint32_t *x, uint64_t count)
{
    return mock_sum(x, count);
}

MOCK_PLUGIN(.name = "exports_more");
