/* Takes its time while it is loaded. */
#include "mock.h"

__attribute__((constructor)) static void load(void)
{
    mock_sleep(1100);
}

MOCK_PLUGIN(.name = "slow_load");
