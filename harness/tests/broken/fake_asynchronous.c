/* Queues its work and returns; copies, being queued behind it, do wait. The answers are
 * right, the times are not. */
#include "fake.h"

#include <pthread.h>

/* One job at a time; the queue is empty where `m` is NULL. */
static struct {
    pthread_t thread;
    mock *m;
    scan_buffer in, out;
} queue;

static void *work(void *unused)
{
    (void)unused;
    if (queue.m->n > 50000)
        mock_sleep(5);
    mock_run(queue.m, fake_address(queue.in), fake_address(queue.out));
    return NULL;
}

static void wait_for_queue(void)
{
    if (queue.m)
        pthread_join(queue.thread, NULL);
    queue.m = NULL;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    wait_for_queue();
    queue.m = self;
    queue.in = in;
    queue.out = out;
    return pthread_create(&queue.thread, NULL, work, NULL) == 0 ? SCAN_OK : SCAN_ERROR;
}

static void destroy(void *self)
{
    wait_for_queue();
    mock_destroy(self);
}

static scan_status copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes)
{
    wait_for_queue();
    return fake_copy_out(context, to, from, offset, bytes);
}

static scan_status copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    wait_for_queue();
    return fake_copy_in(context, to, offset, from, bytes);
}

static scan_status fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value)
{
    wait_for_queue();
    return fake_fill(context, to, offset, bytes, value);
}

static const scan_memory memory = {.struct_size = sizeof(scan_memory),
                                   .open = fake_open,
                                   .close = fake_close,
                                   .allocate = fake_allocate,
                                   .release = fake_release,
                                   .view = fake_view,
                                   .copy_in = copy_in,
                                   .copy_out = copy_out,
                                   .fill = fill};

FAKE_PLUGIN(.memory = &memory, .run = run, .destroy = destroy);
