/*
 * cpu_team.c - one barrier to start, one to finish
 *
 * Members wait for a new generation number. They first spin, because while measuring the next run
 * usually follows at once, and yield now and then, because the caller may share a member's core.
 * Then they sleep, because a thread that spins for long takes a core from others. The last member
 * to finish wakes the caller in the same way.
 */
#include "cpu_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define SPINS 1000 /* some tens of microseconds: about what sleeping and waking cost */

typedef struct member {
    cpu_team *team;
    pthread_t thread;
    uint32_t rank;
    scan_status pinned;
} member;

struct cpu_team {
    const scan_host *host;
    uint32_t members;
    uint32_t started; /* threads that were started, ranks 1 ... started */
    bool quit;
    cpu_team_work *work;
    void *context;
    pthread_mutex_t mutex;
    pthread_cond_t go, done;
    atomic_uint generation; /* grows by one with each run */
    atomic_uint pending;    /* members that have not finished the run */
    member member[];        /* one for each member; 0 is the caller and unused */
};

uint32_t cpu_team_size(const scan_host *host, int64_t value)
{
    return value > 0 ? (uint32_t)value : host->places > 0 ? host->places : 1;
}

scan_status cpu_team_supports(const scan_host *host, int64_t value)
{
    const uint32_t threads = cpu_team_size(host, value);
    if (threads > 1 && threads > host->places)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "threads=%u, but the worker is bound to %u core%s; set fewer threads",
                          threads, host->places, host->places == 1 ? "" : "s");
    return SCAN_OK;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Waits until *value is (equal) or is no longer (!equal) `wanted`. */
static void await(cpu_team *team, atomic_uint *value, unsigned wanted, bool equal,
                  pthread_cond_t *signal)
{
    for (int spin = 0; spin < SPINS; spin++) {
        if ((atomic_load_explicit(value, memory_order_acquire) == wanted) == equal)
            return;
        if (spin % 64 == 63)
            sched_yield(); /* the thread that we wait for may be waiting for this core */
        else
            pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    while ((atomic_load_explicit(value, memory_order_acquire) == wanted) != equal)
        pthread_cond_wait(signal, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

static void finish(cpu_team *team)
{
    if (atomic_fetch_sub_explicit(&team->pending, 1, memory_order_acq_rel) > 1)
        return;
    /* Under the mutex; otherwise the caller might test, miss this signal, and sleep. */
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->mutex);
}

static void *serve(void *argument)
{
    member *self = argument;
    cpu_team *team = self->team;
    self->pinned = team->host->pin_thread(team->host, self->rank);
    finish(team);
    for (unsigned seen = 0;; seen++) {
        await(team, &team->generation, seen, false, &team->go);
        if (team->quit)
            return NULL;
        team->work(team->context, self->rank, team->members);
        finish(team);
    }
}

static void next_generation(cpu_team *team)
{
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add_explicit(&team->generation, 1, memory_order_release);
    pthread_cond_broadcast(&team->go);
    pthread_mutex_unlock(&team->mutex);
}

/* Starts the threads and waits until each has tried to bind itself. */
static scan_status start(cpu_team *team)
{
    const scan_host *host = team->host;
    int error = 0;
    for (uint32_t rank = 1; rank < team->members && error == 0; rank++) {
        member *one = &team->member[rank];
        *one = (member){.team = team, .rank = rank, .pinned = SCAN_ERROR};
        atomic_fetch_add(&team->pending, 1);
        error = pthread_create(&one->thread, NULL, serve, one);
        if (error == 0)
            team->started++;
        else
            atomic_fetch_sub(&team->pending, 1);
    }
    await(team, &team->pending, 0, true, &team->done);
    if (error != 0)
        return host->fail(host, SCAN_ERROR, "pthread_create failed for thread %u of %u: %s",
                          team->started + 2, team->members, strerror(error));
    for (uint32_t rank = 1; rank < team->members; rank++)
        if (team->member[rank].pinned != SCAN_OK)
            return host->fail(host, SCAN_ERROR, "pin_thread failed for place %u of %u", rank,
                              host->places);
    return SCAN_OK;
}

scan_status cpu_team_create(const scan_host *host, uint32_t members, cpu_team **team_p)
{
    const size_t bytes = sizeof(cpu_team) + members * sizeof(member);
    cpu_team *team = host->allocate(host, bytes, _Alignof(cpu_team));
    if (!team)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for a team of %u threads", members);
    memset(team, 0, bytes);
    team->host = host;
    team->members = members;
    atomic_init(&team->generation, 0);
    atomic_init(&team->pending, 0);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->go, NULL);
    pthread_cond_init(&team->done, NULL);
    const scan_status status = start(team);
    if (status != SCAN_OK) {
        cpu_team_destroy(team);
        return status;
    }
    *team_p = team;
    return SCAN_OK;
}

void cpu_team_run(cpu_team *team, cpu_team_work *work, void *context)
{
    if (team->members > 1) {
        team->work = work;
        team->context = context;
        atomic_store_explicit(&team->pending, team->members - 1, memory_order_relaxed);
        next_generation(team);
    }
    work(context, 0, team->members);
    if (team->members > 1)
        await(team, &team->pending, 0, true, &team->done);
}

void cpu_team_destroy(cpu_team *team)
{
    if (!team)
        return;
    team->quit = true;
    next_generation(team);
    for (uint32_t rank = 1; rank <= team->started; rank++)
        pthread_join(team->member[rank].thread, NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->go);
    pthread_mutex_destroy(&team->mutex);
    team->host->release(team->host, team);
}
