/* Crashes in destroy. */
#include "mock.h"

static void destroy(void *self)
{
    mock_crash();
    mock_destroy(self);
}

MOCK_PLUGIN(.destroy = destroy);
