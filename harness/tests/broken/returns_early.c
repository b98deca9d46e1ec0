/* Leaves the work to a thread and does not wait for it. */
#include "mock.h"

#include <pthread.h>

typedef struct work {
    mock *m;
    scan_buffer in, out;
} work;

static void *scan_later(void *argument)
{
    work *w = argument;
    mock_sleep(20);
    mock_run(w->m, w->in, w->out);
    free(w);
    return NULL;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    pthread_t thread;
    work *w = malloc(sizeof *w);
    if (!w)
        return SCAN_ERROR;
    *w = (work){self, in, out};
    if (pthread_create(&thread, NULL, scan_later, w) != 0)
        return SCAN_ERROR;
    pthread_detach(thread);
    return SCAN_OK;
}

MOCK_PLUGIN(.run = run);
