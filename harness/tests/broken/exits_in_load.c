/* Ends the process while it is loaded. */
#include "mock.h"

__attribute__((constructor)) static void load(void)
{
    exit(0);
}

MOCK_PLUGIN(.name = "exits_in_load");
