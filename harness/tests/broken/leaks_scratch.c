/* Does not give its spine back. */
#include "mock.h"

static void destroy(void *self)
{
    mock *m = self;
    m->host->release(m->host, m);
}

MOCK_PLUGIN(.destroy = destroy);
