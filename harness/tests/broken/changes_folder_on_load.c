/* Goes to another folder before anybody has called it. */
#include "mock.h"

__attribute__((constructor)) static void go(void)
{
    if (chdir("/") != 0)
        abort();
}

MOCK_PLUGIN(.version = "1.1");
