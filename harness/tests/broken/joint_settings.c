/* Right where one of its two tunables is at its default, wrong where neither is. */
#include "mock.h"

static const scan_tunable depth = {.struct_size = sizeof(scan_tunable),
                                   .name = "depth",
                                   .summary = "steps looked ahead",
                                   .default_value = 1,
                                   .min = 1,
                                   .max = 8};
static const scan_tunable *const tunables[] = {&mock_block, &depth, NULL};

static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    scan_status status = mock_create(host, context, problem, self_p);
    if (status == SCAN_OK && problem->tunables[0] != 64 && problem->tunables[1] != 1)
        ((mock *)*self_p)->inclusive = !((mock *)*self_p)->inclusive;
    return status;
}

MOCK_PLUGIN(.tunables = tunables, .create = create);
