/*
 * behaviour_phases.c - are the times that a plugin records those of its runs?
 */
#include "worker/behaviour.h"

#include "system/clock.h"

#include <math.h>

/* Are the phases of one recorded run named as the contract says, and are they times? */
static bool phases_are_right(trial *t)
{
    for (int i = 0; i < HOST_MISTAKES; i++)
        if (t->host->mistakes[i].code != FAULT_NONE)
            trial_fault(t, t->host->mistakes[i]);
    return trial_is_good(t);
}

/* Is the answer of a recorded run right? */
static bool answers_recorded(trial *t, uint32_t level)
{
    worker_host_record(t->host, level);
    bool good = trial_check(t, t->job->run.pattern, 1);
    worker_host_record(t->host, 0);
    return good;
}

/* What the host and the plugin say of one recorded run. */
typedef struct recorded {
    double run_ns;
    double phases_ns;  /* the sum of what it recorded; 0: nothing */
    double longest_ns; /* the longest time under one name */
} recorded;

static bool run_recorded(trial *t, uint32_t level, recorded *r_p)
{
    worker_host_record(t->host, level);
    const double start = clock_now_ns();
    const bool good = trial_run(t);
    *r_p = (recorded){.run_ns = clock_now_ns() - start};
    worker_host_record(t->host, 0);
    for (size_t k = 0; k < t->host->phase_count; k++) {
        r_p->phases_ns += t->host->phases[k].ns;
        r_p->longest_ns = fmax(r_p->longest_ns, t->host->phases[k].ns);
    }
    return good && phases_are_right(t);
}

/* By how much device time exceeds the run, except for what a coarse clock adds. */
static double excess_of(const recorded *r)
{
    return r->phases_ns - 1.01 * r->run_ns - 1000;
}

/* The same of a kernel, of which many may be at work at once, on several devices, too. */
static double kernel_excess_of(const recorded *r)
{
    enum { AT_ONCE = 64 };
    return r->longest_ns - AT_ONCE * r->run_ns - 1000;
}

/* Times of two instances that are used in turn, of which the second has half as many elements: the
 * shortest at each level, and by how much device time, or a kernel's, exceeds each run at least. */
typedef struct phase_times {
    recorded least[2][2]; /* of an instance, at a level */
    double excess[2][2];
} phase_times;

static bool read_times(trial *t, trial *half, phase_times *p_p)
{
    enum { TIMES = 20 };
    for (int i = 0; i < 2; i++) {
        p_p->least[i][0] = p_p->least[i][1] = (recorded){INFINITY, INFINITY, 0};
        p_p->excess[i][0] = p_p->excess[i][1] = INFINITY;
    }
    for (int i = 0; i < TIMES; i++) {
        trial *const of = i % 2 ? half : t;
        const int level = i / 2 % 2;
        recorded now, *least = &p_p->least[i % 2][level];
        if (!run_recorded(of, level ? SCAN_RECORD_KERNELS : SCAN_RECORD_DEVICE, &now)) {
            t->fault = of->fault;
            return false;
        }
        least->run_ns = fmin(least->run_ns, now.run_ns);
        least->phases_ns = fmin(least->phases_ns, now.phases_ns);
        double *excess = &p_p->excess[i % 2][level];
        *excess = fmin(*excess, level ? kernel_excess_of(&now) : excess_of(&now));
    }
    return true;
}

/* Twice the elements take longer by what the device needs for them: is next to nothing of it in
 * what was recorded? Short runs may differ by what a runtime's threads need to wake up, which no
 * phase has; there next to nothing of the whole run must have been recorded. */
static bool is_too_short(const phase_times *p, int level, fault *fault_p)
{
    const double least_ns = 1e4, long_ns = 1e5, share = 0.02, share_of_run = 0.01;
    const recorded *more = &p->least[0][level], *half = &p->least[1][level];
    const double run_ns = more->run_ns - half->run_ns;
    const double phases_ns = more->phases_ns - half->phases_ns;
    *fault_p = (fault){.code = FAULT_PHASE_TOO_SHORT, .ns = phases_ns, .expected_ns = run_ns};
    return half->phases_ns > 0 && run_ns > least_ns && more->run_ns > 1.5 * half->run_ns &&
           phases_ns < share * run_ns &&
           (run_ns > long_ns || more->phases_ns < share_of_run * more->run_ns);
}

/* Are the recorded times those of their runs? What looks wrong must do so each time. */
static void compare_times(trial *t, trial *half, phase_times *p_p)
{
    enum { TRIES = 4 };
    fault found = {.code = FAULT_NONE};
    for (int i = 0; i < TRIES && (i == 0 || found.code != FAULT_NONE); i++) {
        if (!read_times(t, half, p_p))
            return;
        const double excess = fmax(fmax(p_p->excess[0][0], p_p->excess[0][1]),
                                   fmax(p_p->excess[1][0], p_p->excess[1][1]));
        if (excess > 0)
            found = (fault){.code = FAULT_PHASE_EXCEEDS_RUN, .ns = excess};
        else if (!is_too_short(p_p, 0, &found) && !is_too_short(p_p, 1, &found))
            found = (fault){.code = FAULT_NONE};
    }
    if (found.code != FAULT_NONE)
        trial_fault(t, found);
}

/* Is what a run records the time of the one before it, which was delayed? */
static void look_behind_delays(trial *t)
{
    enum { TRIES = 8, SURE = 2 };
    int found = 0;
    recorded now;
    if (!run_recorded(t, SCAN_RECORD_DEVICE, &now))
        return;
    for (int i = 0; i < TRIES && now.phases_ns > 0; i++) {
        worker_host_record(t->host, SCAN_RECORD_DEVICE);
        const bool good = behave_delayed_run(t, now.run_ns);
        worker_host_record(t->host, 0);
        recorded next;
        if (!good || !run_recorded(t, SCAN_RECORD_DEVICE, &next))
            return;
        found += excess_of(&next) > BEHAVE_DELAY_NS / 2.0;
        if (found == SURE) {
            trial_fault(t, (fault){.code = FAULT_PHASE_EXCEEDS_RUN, .ns = excess_of(&next)});
            return;
        }
    }
}

/* Is what a graph leaves right, and how long does one scan in it take at least? 0: it records none.
 * The instance is asked for nothing else from now on. */
static bool read_graphs(trial *t, double *ns_p)
{
    enum { TIMES = 5 };
    if (!answers_recorded(t, SCAN_RECORD_GRAPH))
        return false;
    double least_ns = INFINITY;
    for (int i = 0; i < TIMES && least_ns > 0; i++) {
        recorded now;
        if (!run_recorded(t, SCAN_RECORD_GRAPH, &now))
            return false;
        if (excess_of(&now) > 0)
            return trial_fault(t, (fault){.code = FAULT_PHASE_EXCEEDS_RUN, .ns = excess_of(&now)});
        least_ns = fmin(least_ns, now.phases_ns);
    }
    *ns_p = least_ns;
    return true;
}

/* As for the other times, what twice the elements take longer must be in that of a graph. */
static void compare_graphs(trial *t, trial *half, phase_times *p)
{
    fault found;
    if (!trial_knows_graphs(t) || !read_graphs(t, &p->least[0][0].phases_ns))
        return;
    if (!read_graphs(half, &p->least[1][0].phases_ns))
        t->fault = half->fault;
    else if (is_too_short(p, 0, &found))
        trial_fault(t, found);
}

/* Device time is that of the same run, in ns, and lies within it. */
void behave_phases(trial *t)
{
    phase_times p = {0};
    job smaller = *t->job;
    if (!trial_begin(t) || !answers_recorded(t, SCAN_RECORD_DEVICE) ||
        !answers_recorded(t, SCAN_RECORD_KERNELS))
        return;
    behave_halve(t, &smaller);
    trial half = behave_another(t, &smaller);
    const input_spec spec = job_input(&smaller, smaller.run.pattern);
    if (trial_begin(&half) && trial_write_input(&half, &spec))
        compare_times(t, &half, &p);
    else
        t->fault = half.fault;
    if (trial_is_good(t))
        look_behind_delays(t);
    if (trial_is_good(t))
        compare_graphs(t, &half, &p);
    trial_end(&half);
}
