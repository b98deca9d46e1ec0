/* spot_times.c - do the times of looks show work that was done before a run or behind it? */
#include "worker/spot_check.h"

#include "system/clock.h"
#include "worker/measure.h"
#include "worker/trial.h"

#include <math.h>

/* ---- what copies of a few bytes take ------------------------------------------- */

/* After a copy the host's caches hold other code. */
#define PACE_SLACK_NS 5e3

/* What a short copy may take longer without a reason. */
#define COPY_SLACK_NS 2e4

/* The most that a copy of a few bytes may take. */
static double times_most(const spot_times *all)
{
    return 3 * all->idle_ns + 0.5 * all->run_ns + COPY_SLACK_NS;
}

/* The most that a copy of a few bytes from an idle device may take beside its runs. Both wait for
 * the device once or twice, so that one is as long as the other where there is little to do.
 * Longer, it leaves room for the work of a run that has returned before. */
static double copies_most(const spot_times *all)
{
    return 2 * all->run_ns + COPY_SLACK_NS;
}

/* Adds the times of a look to those of all looks. */
static void times_keep(spot_times *all, const spot_times *one)
{
    all->looks += one->looks;
    if (one->late_ns > times_most(one)) {
        all->late++;
        all->late_ns = one->late_ns;
    }
    spot_keep_least(&all->in_ns, one->in_ns);
    spot_keep_least(&all->poison_ns, one->poison_ns);
    spot_keep_least(&all->idle_ns, one->idle_ns);
    spot_keep_least(&all->run_ns, one->run_ns);
}

/* The most that a run after a copy may take where others take same_ns. */
static double pace_most(double same_ns)
{
    return fmin(3 * same_ns + PACE_SLACK_NS, 1.5 * same_ns + COPY_SLACK_NS);
}

void spot_keep_pace(trial *t, uint32_t level, const spot_check *check)
{
    spot_pace *all = &t->spot_times.paces[level];
    if (!(check->changed_ns > 0 && check->same_ns > 0))
        return;
    all->visits++;
    all->uneven += check->changed_ns > pace_most(check->same_ns);
}

void spot_keep_run(trial *t, spot_check *check, double run_ns)
{
    check->changed_ns = check->times.run_ns = run_ns;
    times_keep(&t->spot_times, &check->times);
}

void spot_keep_least(double *least_p, double ns)
{
    if (ns > 0 && !(*least_p > 0 && *least_p <= ns))
        *least_p = ns;
}

bool spot_time_touch(trial *t, double *ns_p)
{
    const double start = clock_now_ns();
    if (trial_failed(t, buffers_tell(&t->buffers, PART_TOUCH), STEP_COPY_OUT))
        return false;
    *ns_p = clock_now_ns() - start;
    return true;
}

/* ---- what the looks have found ------------------------------------------------- */

/* How often times that look wrong are taken again: of copies, and of runs after a copy. */
enum { LOOKS = 40, PACES = 40, COPIES = 10 };

/* In how many of these a run right after a copy is no slower than the other if no work is missing
 * there. On a busy machine either may wait for its threads, so that single times, and the least
 * ones, say nothing. */
enum { EVEN_PACES = PACES / 4 };

/* Of a pause between copies. */
static const double LONGEST_PAUSE_NS = 5e6;

/* What the times of copies show. A run may wait for all its work now and then by luck; a machine
 * with other work is slow now and then. Ranks are judged only by whether they are done: a rank
 * without work sleeps, so its other times vary. */
static fault suspicion(const trial *t)
{
    const spot_times *times = &t->spot_times;
    const double in_ns = fmax(times->in_ns, times->poison_ns);
    fault f = {.code = FAULT_NONE, .ns = times->run_ns, .expected_ns = times->idle_ns};
    if (times->late > 0 && 2 * times->late >= times->looks) {
        f.code = t->plugin->memory ? FAULT_RETURNED_EARLY : FAULT_RANKS_RETURNED_EARLY;
        f.copy_ns = times->late_ns;
    } else if (t->plugin->memory && in_ns > times_most(times)) {
        f.code = FAULT_WORKS_IN_COPY;
        f.copy_ns = in_ns;
    } else if (t->plugin->memory && times->idle_ns > copies_most(times)) {
        f.code = FAULT_SLOW_COPIES;
    }
    return f;
}

/* A run that is recorded at that level; its time. */
static double run_at(trial *t, uint32_t level)
{
    worker_host_record(t->host, level);
    const double ns = timed_run(t, 1);
    worker_host_record(t->host, 0);
    return ns;
}

/* One more look, whose run belongs to no sample. */
static bool look_again(trial *t, uint32_t level, spot_times *times_p)
{
    spot_check check;
    if (!spot_plan(t, &check) || !spot_begin(t, &check))
        return false;
    const double ns = run_at(t, level);
    if (ns < 0 || !spot_end(t, &check) || !spot_judge_outputs(t, &check))
        return false;
    check.times.run_ns = ns;
    *times_p = check.times;
    return true;
}

/* A device that other processes use too lets a copy to it wait, the first after a pause most of
 * all. So what copies take is held against what the same copies take, and at best, once there is no
 * instance that could work in them, with pauses as long as a run. */
static bool machine_is_slow(trial *t, const fault *found, bool *slow_p)
{
    const size_t width = dtype_bytes(t->job->dtype);
    any_element first;
    double least_ns = 0;
    input_fill(&t->written, 0, 1, &first);
    trial_destroy(t);
    for (int i = 0; i < LOOKS; i++) {
        clock_sleep_ns(fmin(found->ns, LONGEST_PAUSE_NS));
        const double start = clock_now_ns();
        if (trial_failed(t, buffers_put_input(&t->buffers, 0, &first, width), STEP_COPY_IN))
            return false;
        spot_keep_least(&least_ns, clock_now_ns() - start);
    }
    *slow_p = found->copy_ns <= 3 * least_ns + 0.5 * found->ns + COPY_SLACK_NS;
    return true;
}

/* Looks LOOKS times more, and only at these where it is about how often; *found_p becomes what the
 * times show now. What is a matter of the least time is settled as soon as one is short. */
static bool look_on(trial *t, fault *found_p)
{
    const fault_code suspected = found_p->code;
    t->spot_times.looks = t->spot_times.late = 0;
    for (int i = 0; i < LOOKS && found_p->code != FAULT_NONE; i++) {
        spot_times times;
        trial_step(t, STEP_SAMPLE);
        if (!look_again(t, 0, &times))
            return false;
        times_keep(&t->spot_times, &times);
        const bool least = suspected == FAULT_WORKS_IN_COPY || suspected == FAULT_SLOW_COPIES;
        if (least || i + 1 == LOOKS)
            *found_p = suspicion(t);
    }
    return true;
}

/* A run that is recorded at that level, behind what the host computes for a look, but no copy. */
static double run_without_a_copy(trial *t, uint32_t level)
{
    spot_check check;
    return spot_plan(t, &check) ? run_at(t, level) : -1;
}

/* Runs right after a copy and others, in turn; *found_p is set if the first nearly always take
 * longer. */
static bool keep_pace(trial *t, uint32_t level, fault *found_p)
{
    double changed_ns = 0, same_ns = 0;
    int even = 0;
    for (int i = 0; i < PACES && even < EVEN_PACES; i++) {
        spot_times times;
        trial_step(t, STEP_SAMPLE);
        /* The look before this one has ended with a copy. */
        const double first_ns = run_at(t, level);
        const double ns = first_ns < 0 ? first_ns : run_without_a_copy(t, level);
        if (ns < 0 || !look_again(t, level, &times))
            return false;
        spot_keep_least(&same_ns, ns);
        spot_keep_least(&changed_ns, times.run_ns);
        even += times.run_ns <= pace_most(ns);
    }
    if (even < EVEN_PACES)
        *found_p =
            (fault){.code = FAULT_WORKS_AFTER_COPY, .ns = same_ns, .expected_ns = changed_ns};
    return true;
}

/* Does it work only where something was copied since the run before? Such a plugin sees every
 * change to its buffers, so that no output gives it away: the time of its other runs does. */
static bool judge_paces(trial *t)
{
    for (uint32_t level = 0; level < SPOT_LEVELS; level++) {
        const spot_pace *pace = &t->spot_times.paces[level];
        fault found = {.code = FAULT_NONE};
        if (pace->uneven == 0 || 2 * pace->uneven < pace->visits)
            continue;
        if (!keep_pace(t, level, &found))
            return false;
        if (found.code != FAULT_NONE)
            return trial_fault(t, found);
    }
    return true;
}

/* Copies the input as it is timed; *late_p: does the device then make the next who asks wait longer
 * than where it has nothing to do? */
static bool copy_and_ask(trial *t, bool *late_p)
{
    double late_ns = 0, idle_ns = 0;
    const double start = clock_now_ns();
    if (trial_failed(t, buffers_each(&t->buffers, part_copy_in), STEP_COPY_IN))
        return false;
    const double copy_ns = clock_now_ns() - start;
    if (!spot_time_touch(t, &late_ns) || !spot_time_touch(t, &idle_ns))
        return false;
    *late_p = late_ns > times_most(&(spot_times){.idle_ns = idle_ns, .run_ns = copy_ns});
    return true;
}

/* Does copy_in, as it is timed, return when its work is done? It must not wait for anything else,
 * nor read the host's memory later. */
static bool judge_copy_in(trial *t)
{
    bool late = true;
    for (int i = 0; late && i < COPIES; i++) {
        trial_step(t, STEP_COPY_IN);
        if (!copy_and_ask(t, &late))
            return false;
    }
    if (late)
        return trial_fault(t, (fault){.code = FAULT_COPIES_LATE});
    return !trial_failed(t, buffers_each(&t->buffers, part_copy_in), STEP_COPY_IN) &&
           trial_reads_back(t, true);
}

/* Copies the output as it is timed right after a run, and once more; *found_p is set if the first
 * copy takes so much longer that it must have waited for the run, or done its work. */
static bool copy_twice(trial *t, fault *found_p)
{
    const double run_ns = timed_run(t, 1), start = clock_now_ns();
    if (run_ns < 0 || trial_failed(t, buffers_each(&t->buffers, part_copy_out), STEP_COPY_OUT))
        return false;
    const double between = clock_now_ns();
    if (trial_failed(t, buffers_each(&t->buffers, part_copy_out), STEP_COPY_OUT))
        return false;
    const double first_ns = between - start, again_ns = clock_now_ns() - between;
    *found_p = (fault){.code = FAULT_NONE};
    if (first_ns > 2 * again_ns + 0.5 * run_ns + COPY_SLACK_NS)
        *found_p = (fault){.code = FAULT_RETURNED_EARLY,
                           .ns = run_ns,
                           .copy_ns = first_ns,
                           .expected_ns = again_ns};
    return true;
}

/* A plugin may know the few outputs that a look reads without a scan; of all of them it may not. */
static bool judge_copy_out(trial *t)
{
    fault found = {.code = FAULT_RETURNED_EARLY};
    for (int i = 0; found.code != FAULT_NONE && i < COPIES; i++) {
        trial_step(t, STEP_COPY_OUT);
        if (!copy_twice(t, &found))
            return false;
    }
    return found.code == FAULT_NONE || trial_fault(t, found);
}

bool spot_judge_times(trial *t)
{
    bool slow = false;
    fault found = suspicion(t);
    if (!trial_copies_elements(t) || t->spot_times.looks == 0)
        return true;
    if (t->plugin->memory && !judge_paces(t))
        return false;
    if (found.code != FAULT_NONE && !look_on(t, &found))
        return false;
    if (found.code == FAULT_WORKS_IN_COPY && !machine_is_slow(t, &found, &slow))
        return false;
    if (found.code != FAULT_NONE && !slow)
        return trial_fault(t, found);
    if (t->spot_times.idle_ns > 0.5 * t->spot_times.run_ns + COPY_SLACK_NS)
        trial_flag(t, "slow_copies");
    return slow || !t->plugin->memory || (judge_copy_out(t) && judge_copy_in(t));
}
