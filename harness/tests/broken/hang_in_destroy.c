/* Never returns in destroy. */
#include "mock.h"

static void destroy(void *self)
{
    mock_hang();
    mock_destroy(self);
}

MOCK_PLUGIN(.destroy = destroy);
