/* Refuses without a word. */
#include "mock.h"

static scan_status supports(const scan_host *host, void *context, const scan_problem *problem)
{
    (void)host;
    (void)context;
    (void)problem;
    return SCAN_UNSUPPORTED;
}

MOCK_PLUGIN(.supports = supports);
