#include "worker/changer.h"

#include "system/clock.h"
#include "system/unpredictable.h"
#include "worker/process_state.h"
#include "worker/spot_check.h"
#include "worker/trial.h"
#include "worker/watch.h"

#include <sched.h>
#include <time.h>

/* Waits for the other thread without sleeping; where that has no core it gets this one, after some
 * microseconds. */
static void spin_until(const atomic_bool *done)
{
    enum { SPINS = 1 << 14 };
    for (unsigned i = 1; !atomic_load_explicit(done, memory_order_acquire); i++)
        if (i % SPINS == 0)
            sched_yield();
}

static void *change(void *context)
{
    changer *c = context;
    atomic_store(&c->ready, true);
    spin_until(&c->t->notes.begun);
    const double end_ns = clock_now_ns() + c->after_ns;
    while (clock_now_ns() < end_ns)
        ;
    spot_store(c->check, true);
    atomic_thread_fence(memory_order_seq_cst);
    c->begun = atomic_load_explicit(&c->t->notes.run, memory_order_relaxed);
    c->cpu_ns = process_state_cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    return NULL;
}

/* A unit that this process may use, but not the one that this thread is on. */
static bool choose_unit(const cpu_topology *machine, cpu_set_t *unit_p)
{
    enum { UNITS = 256 };
    int units[UNITS];
    const int here = sched_getcpu();
    size_t count = topology_usable_units(machine, units, UNITS), others = 0;
    for (size_t i = 0; i < count; i++)
        if (units[i] != here && units[i] < CPU_SETSIZE)
            units[others++] = units[i];
    if (here < 0 || others == 0)
        return false;
    CPU_ZERO(unit_p);
    CPU_SET((size_t)units[unpredictable_below(others)], unit_p);
    return true;
}

bool changer_start(changer *c_p, trial *t, const spot_check *check, double after_ns)
{
    cpu_set_t unit;
    pthread_attr_t attributes;
    atomic_store(&t->notes.run, 0);
    atomic_store(&t->notes.begun, false);
    *c_p = (changer){.t = t, .check = check, .after_ns = after_ns};
    if (!choose_unit(t->host->machine, &unit) || pthread_attr_init(&attributes) != 0)
        return false;
    const bool started = pthread_attr_setaffinity_np(&attributes, sizeof unit, &unit) == 0 &&
                         pthread_create(&c_p->thread, &attributes, change, c_p) == 0;
    pthread_attr_destroy(&attributes);
    /* Both must be running when the interval begins: who sleeps here may come back too late. */
    if (started)
        spin_until(&c_p->ready);
    return started;
}

/* Stores that a core has made and others do not see yet: more than any has room for. */
#define UNSEEN_STORES 128
/* Of a run besides its outputs, at least: the return address, what is saved, and which run it is.
 */
#define RUN_STORES 3

uint64_t changer_end(changer *c)
{
    pthread_join(c->thread, NULL);
    watch_leave_out(c->t, c->cpu_ns);
    /* What is said to be the last run may lag behind by runs whose stores are on their way. */
    return c->begun + 2 + UNSEEN_STORES / (c->t->job->n + RUN_STORES);
}
