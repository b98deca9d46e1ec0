/* All of the answer is there when run returns; a thread then writes some of it again. */
#include "mock.h"

#include <pthread.h>

/* Where it is worth a thread. */
enum { FEWEST = 50000 };

typedef struct late {
    volatile uint32_t *y;
    uint32_t value;
} late;

static void *write_later(void *argument)
{
    late *l = argument;
    mock_sleep(5);
    *l->y = l->value;
    free(l);
    return NULL;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    pthread_t thread;
    const scan_status status = mock_run(self, in, out);
    late *l = m->n > FEWEST ? malloc(sizeof *l) : NULL;
    if (!l)
        return status;
    uint32_t *y = scan_host_pointer(out);
    *l = (late){y + m->n - 1, y[m->n - 1]};
    if (pthread_create(&thread, NULL, write_later, l) != 0)
        return SCAN_ERROR;
    pthread_detach(thread);
    return status;
}

/* What is still on its way when the buffers go would crash, which is another failure. */
static void destroy(void *self)
{
    const mock *m = self;
    if (m->n > FEWEST)
        mock_sleep(15);
    mock_destroy(self);
}

MOCK_PLUGIN(.run = run, .destroy = destroy);
