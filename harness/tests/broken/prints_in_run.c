/* Prints in run, through stdio and past it. */
#include "mock.h"

#include <stdio.h>

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    static const char row[] = "1,prints,prints,prints,ok\n";
    puts("not ok 1 - printed by a plugin");
    if (write(STDOUT_FILENO, row, sizeof row - 1) < 0)
        return SCAN_ERROR;
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
