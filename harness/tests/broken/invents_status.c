/* Fails with a status that the contract does not have, and no words. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    (void)self;
    (void)in;
    (void)out;
    return (scan_status)99;
}

MOCK_PLUGIN(.run = run);
