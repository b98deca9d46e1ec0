#include "system/parallel.h"

#include <pthread.h>
#include <signal.h>

/* A thread takes some 20 us to start; this many bytes take ten times as long. */
#define LEAST_BYTES ((size_t)1 << 20)

typedef struct member {
    const cpu_topology *machine;
    parallel_work work;
    void *context;
    unsigned part;
    pthread_t thread;
    bool started;
} member;

unsigned parallel_parts(const cpu_topology *machine, size_t bytes)
{
    const size_t most = bytes / LEAST_BYTES;
    unsigned parts = topology_places(machine);
    if (parts > PARALLEL_MOST)
        parts = PARALLEL_MOST;
    if (parts > most)
        parts = (unsigned)most;
    return parts > 1 ? parts : 1;
}

/* A plugin may have bound the thread that this one comes from. */
static void *begin_member(void *argument)
{
    const member *m = argument;
    topology_spread_thread(m->machine);
    m->work(m->context, m->part);
    return NULL;
}

/* The threads take no signals: handlers that a plugin has set expect its own. */
static void start_all(member *members, unsigned parts)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 1; i < parts; i++)
        members[i].started =
            pthread_create(&members[i].thread, NULL, begin_member, &members[i]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void parallel_run(const cpu_topology *machine, unsigned parts, parallel_work work, void *context)
{
    member members[PARALLEL_MOST];
    for (unsigned i = 0; i < parts; i++)
        members[i] = (member){.machine = machine, .work = work, .context = context, .part = i};
    start_all(members, parts);
    for (unsigned i = 0; i < parts; i++)
        if (!members[i].started)
            work(context, i);
    for (unsigned i = 1; i < parts; i++)
        if (members[i].started)
            pthread_join(members[i].thread, NULL);
}
