/* Takes scratch from malloc in every run, and gives it back. */
#include "mock.h"

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    mock *m = self;
    uint32_t *volatile copy = malloc((m->n + 1) * sizeof *copy);
    if (!copy)
        return SCAN_ERROR;
    mock_scan(m, scan_host_pointer(in), copy);
    if (m->n)
        memcpy(scan_host_pointer(out), copy, m->n * sizeof *copy);
    free(copy);
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
