#include "worker/core_use.h"

#include "system/clock.h"
#include "worker/process_state.h"
#include "worker/sampling.h"
#include "worker/trial.h"
#include "worker/watch.h"

#include <sched.h>
#include <time.h>

/* The system counts the time of other threads in ticks of some milliseconds. */
#define EXCESS_NS 4e6
#define INTERVAL_NS 2e7
#define INTERVALS_NS 1e9
#define REST_NS 1.1e9

/* Cores more than so many times the declared ones. */
#define MORE 1.25

core_use core_use_now(void)
{
    return (core_use){.wall_ns = clock_now_ns(),
                      .cpu_ns = process_state_cpu_ns(CLOCK_PROCESS_CPUTIME_ID)};
}

static double excess_since(const trial *t, const core_use *since)
{
    const core_use now = core_use_now();
    bool declared;
    return now.cpu_ns - since->cpu_ns -
           MORE * watch_cores(t, &declared) * (now.wall_ns - since->wall_ns);
}

void core_use_keep(trial *t, const core_use *since)
{
    const double excess_ns = excess_since(t, since);
    if (excess_ns > 0)
        t->excess_ns += excess_ns;
}

/* *found_p: does one of many intervals have an excess? */
static bool look_for_excess(trial *t, bool *found_p)
{
    double told_ns = clock_now_ns();
    const double end_ns = told_ns + INTERVALS_NS;
    *found_p = false;
    trial_step(t, STEP_SAMPLE);
    while (!*found_p && clock_now_ns() < end_ns) {
        const core_use start = core_use_now();
        while (clock_now_ns() < start.wall_ns + INTERVAL_NS)
            if (timed_run(t, 1) < 0)
                return false;
        *found_p = excess_since(t, &start) > 0;
        trial_show_life(t, STEP_SAMPLE, &told_ns);
    }
    return true;
}

static void rest(trial *t)
{
    double told_ns = clock_now_ns();
    const double end_ns = told_ns + REST_NS;
    while (clock_now_ns() < end_ns) {
        clock_sleep_ns(INTERVAL_NS);
        trial_show_life(t, STEP_SAMPLE, &told_ns);
    }
}

/* Where it declares no threads, it has the cores of this thread alone: may another one of it run
 * elsewhere? That is so on a busy machine, too, where nothing runs at the same time. */
static bool has_left_its_core(const trial *t)
{
    enum { MOST = 256 };
    pid_t others[MOST];
    cpu_set_t own, theirs, shared;
    bool declared;
    watch_cores(t, &declared);
    if (declared || sched_getaffinity(0, sizeof own, &own) != 0)
        return false;
    const size_t count = process_state_others(others, MOST);
    for (size_t i = 0; i < count; i++) {
        if (sched_getaffinity(others[i], sizeof theirs, &theirs) != 0)
            continue;
        CPU_AND(&shared, &own, &theirs);
        if (!CPU_EQUAL(&shared, &theirs))
            return true;
    }
    return false;
}

bool core_use_judge(trial *t)
{
    bool declared, found = has_left_its_core(t);
    if (t->plugin->memory || t->ranks || (!found && t->excess_ns < EXCESS_NS))
        return true;
    if (!found && !look_for_excess(t, &found))
        return false;
    if (found && !has_left_its_core(t)) {
        rest(t);
        if (!look_for_excess(t, &found))
            return false;
    }
    return !found || trial_fault(t, (fault){.code = FAULT_UNDECLARED_THREADS,
                                            .count = watch_cores(t, &declared)});
}
