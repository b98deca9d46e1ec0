/* Starts a thread in every create that nobody ends. */
#include "mock.h"

#include <pthread.h>

static void *wait_forever(void *unused)
{
    (void)unused;
    mock_hang();
    return NULL;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_forever, NULL) != 0)
        return host->fail(host, SCAN_ERROR, "pthread_create failed");
    pthread_detach(thread);
    return mock_create(host, plugin, context, problem, self_p);
}

MOCK_PLUGIN(.create = create);
