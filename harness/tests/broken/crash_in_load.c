/* Crashes while it is loaded. */
#include "mock.h"

__attribute__((constructor)) static void load(void)
{
    mock_crash();
}

MOCK_PLUGIN(.name = "crash_in_load");
