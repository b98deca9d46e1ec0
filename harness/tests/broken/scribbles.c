/* Writes to every file it did not open. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    size_t written = 0;
    for (int i = 3; i < 1024; i++)
        written += write(i, "garbage\n", 8) == 8;
    return written < 1024 ? mock_run(self, in, out) : SCAN_ERROR;
}

MOCK_PLUGIN(.run = run);
