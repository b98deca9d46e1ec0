/* parallel_test.c - parts of a work in threads that are gone when it is done */
#include "tap.h"
#include "worker/large.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

enum { PARTS = 5 };

typedef struct record {
    int times[PARTS];
    pthread_t by[PARTS];
    cpu_set_t where[PARTS];
    bool deaf[PARTS];
} record;

static void note(void *context, unsigned part)
{
    record *r = context;
    sigset_t blocked;
    r->times[part]++;
    r->by[part] = pthread_self();
    sched_getaffinity(0, sizeof r->where[part], &r->where[part]);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    r->deaf[part] = sigismember(&blocked, SIGUSR1) == 1;
}

static int threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; tasks && (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

/* A thread that was waited for may take a moment to vanish. */
static bool are_gone(int before)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < 2000 && threads() > before; i++)
        nanosleep(&moment, NULL);
    return threads() == before;
}

static void *rest(void *nothing)
{
    return nothing;
}

/* How many there are once there has been a second one: then a sanitizer has its own. */
static int threads_now(void)
{
    pthread_t one;
    const int before = threads();
    if (pthread_create(&one, NULL, rest, NULL) == 0)
        pthread_join(one, NULL);
    are_gone(before);
    return threads();
}

static void check_parts(const cpu_topology *machine)
{
    const unsigned most = parallel_parts(machine, (size_t)1 << 40);
    ok(parallel_parts(machine, 0) == 1 && parallel_parts(machine, 4096) == 1,
       "little work stays in one part");
    ok(most >= 1 && most <= PARALLEL_MOST && most <= topology_places(machine),
       "much work has a part for each core");
    errmsg error = {0};
    cpu_topology *bound = topology_load(&error);
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    ok(topology_bind(bound, BINDING_CORE, -1, &error) == SCAN_OK &&
           parallel_parts(bound, (size_t)1 << 40) == 1,
       "beside a plugin that is bound to one core all work stays there");
    sched_setaffinity(0, sizeof before, &before);
    sched_getaffinity(0, sizeof after, &after);
    topology_free(bound);
}

int main(void)
{
    errmsg error = {0};
    cpu_topology *machine = topology_load(&error);
    tap_plan(8);
    cpu_set_t mine, usable;
    record r = {.times = {0}};
    sched_getaffinity(0, sizeof usable, &usable);
    CPU_ZERO(&mine); /* as a plugin may bind the thread that calls it */
    for (int unit = 0; CPU_COUNT(&mine) == 0; unit++)
        if (CPU_ISSET((size_t)unit, &usable))
            CPU_SET((size_t)unit, &mine);
    sched_setaffinity(0, sizeof mine, &mine);
    const int before = threads_now();
    parallel_run(machine, PARTS, note, &r);
    bool once = true, apart = true, anywhere = true, deaf = true;
    for (int i = 0; i < PARTS; i++)
        once = once && r.times[i] == 1;
    for (int i = 1; i < PARTS; i++) {
        apart = apart && !pthread_equal(r.by[i], r.by[0]);
        anywhere = anywhere && CPU_EQUAL(&r.where[i], &usable);
        deaf = deaf && r.deaf[i];
    }
    ok(once, "each part is done once");
    ok(apart && pthread_equal(r.by[0], pthread_self()), "in threads, the first in the caller's");
    ok(anywhere && CPU_EQUAL(&r.where[0], &mine),
       "threads run wherever the binding allows; the caller stays where it is");
    ok(deaf && !r.deaf[0], "threads take no signals, and the caller takes them again");
    ok(are_gone(before), "no thread is left");
    sched_setaffinity(0, sizeof usable, &usable);
    check_parts(machine);
    topology_free(machine);
    return tap_done();
}
