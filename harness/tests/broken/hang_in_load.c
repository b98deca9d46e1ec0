/* Never returns while it is loaded. */
#include "mock.h"

__attribute__((constructor)) static void load(void)
{
    mock_hang();
}

MOCK_PLUGIN(.name = "hang_in_load");
