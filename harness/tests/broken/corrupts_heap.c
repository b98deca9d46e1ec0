/* Writes past a block of the heap and then frees it. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    char *volatile block = malloc(5000);
    char *volatile next = malloc(5000);
    volatile char *bytes = block;
    for (int i = 5000; bytes && i < 5064; i++)
        bytes[i] = -1;
    free(block);
    free(next);
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
