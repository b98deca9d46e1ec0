#include "worker/spot_judge.h"

#include "system/clock.h"
#include "worker/spot_plan.h"
#include "worker/timed_run.h"

#include <math.h>
#include <string.h>

/* How often times that look wrong are taken again: of copies, and of runs after a copy. */
enum { LOOKS = 40, PACES = 10 };

/* Of a pause between copies. */
static const double LONGEST_PAUSE_NS = 5e6;

static fault wrong_at(const trial *e, const spot_place *p, const any_element *expected)
{
    const size_t width = dtype_bytes(e->job->dtype);
    const bool poisoned = p->poisoned && !e->buffers.in_place;
    const bool unwritten = poisoned && memcmp(&p->got, &p->poison, width) == 0;
    fault f = {.code = unwritten ? FAULT_TIMED_UNWRITTEN : FAULT_TIMED_WRONG,
               .index = p->index,
               .dtype = e->job->dtype,
               .pattern = e->written.pattern};
    memcpy(&f.got, &p->got, width);
    memcpy(&f.expected, expected, width);
    return f;
}

bool spot_judge_outputs(trial *e, const spot_check *check)
{
    fault first = {.code = FAULT_NONE};
    uint64_t wrong = 0;
    for (size_t i = 0; check->looked && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        reference r = trial_reference(e);
        reference_resume(&r, p->index, &p->before);
        const any_element expected = reference_check_one(&r, &p->element, &p->got);
        if (r.wrong && wrong++ == 0)
            first = wrong_at(e, p, &expected);
    }
    first.count = wrong;
    first.total = check->place_count;
    first.bytes = 2 * check->change_count;
    return wrong == 0 || trial_fault(e, first);
}

/* What the times of copies show. A run may wait for all its work now and then by luck; a machine
 * with other work is slow now and then. */
static fault fault_of_times(const spot_times *t)
{
    const double in_ns = fmax(t->in_ns, t->poison_ns);
    fault f = {.code = FAULT_NONE, .ns = t->run_ns, .expected_ns = t->idle_ns};
    if (t->late > 0 && 2 * t->late >= t->looks) {
        f.code = FAULT_RETURNED_EARLY;
        f.copy_ns = t->late_ns;
    } else if (in_ns > spot_times_most(t)) {
        f.code = FAULT_WORKS_IN_COPY;
        f.copy_ns = in_ns;
    }
    return f;
}

/* Ranks are judged only by whether they are done: a rank without work sleeps, so its other times
 * vary. */
static fault suspicion(const trial *e)
{
    fault f = fault_of_times(&e->spot_times);
    if (e->plugin->memory)
        return f;
    f.code = f.code == FAULT_RETURNED_EARLY ? FAULT_RANKS_RETURNED_EARLY : FAULT_NONE;
    return f;
}

/* A run that is recorded at that level; its time. */
static double run_at(trial *e, uint32_t level)
{
    worker_host_record(e->host, level);
    const double ns = timed_run(e, 1);
    worker_host_record(e->host, 0);
    return ns;
}

/* One more look, whose run belongs to no sample. */
static bool look_again(trial *e, uint32_t level, spot_times *times_p)
{
    spot_check check;
    if (!spot_plan(e, &check) || !spot_check_begin(e, &check))
        return false;
    const double ns = run_at(e, level);
    if (ns < 0 || !spot_check_end(e, &check) || !spot_judge_outputs(e, &check))
        return false;
    check.times.run_ns = ns;
    *times_p = check.times;
    return true;
}

/* A device that other processes use too lets a copy to it wait, the first after a pause most of
 * all. So what copies take is held against what the same copies take, and at best, once there is no
 * instance that could work in them, with pauses as long as a run. */
static bool machine_is_slow(trial *e, const fault *found, bool *slow_p)
{
    const size_t width = dtype_bytes(e->job->dtype);
    any_element first;
    double least_ns = 0;
    input_fill(&e->written, 0, 1, &first);
    trial_destroy(e);
    for (int i = 0; i < LOOKS; i++) {
        clock_sleep_ns(fmin(found->ns, LONGEST_PAUSE_NS));
        const double start = clock_now_ns();
        if (trial_failed(e, buffers_put_input(&e->buffers, 0, &first, width), STEP_COPY_IN))
            return false;
        spot_times_least(&least_ns, clock_now_ns() - start);
    }
    *slow_p = found->copy_ns <= 3 * least_ns + 0.5 * found->ns + SPOT_SLACK_NS;
    return true;
}

/* Looks LOOKS times more, and only at these where it is about how often; *found_p becomes what the
 * times show now. What is a matter of the least time is settled as soon as one is short. */
static bool look_on(trial *e, fault *found_p)
{
    const fault_code suspected = found_p->code;
    e->spot_times.looks = e->spot_times.late = 0;
    for (int i = 0; i < LOOKS && found_p->code != FAULT_NONE; i++) {
        spot_times times;
        trial_step(e, STEP_SAMPLE);
        if (!look_again(e, 0, &times))
            return false;
        spot_times_keep(&e->spot_times, &times);
        if (suspected == FAULT_WORKS_IN_COPY || i + 1 == LOOKS)
            *found_p = suspicion(e);
    }
    return true;
}

/* Runs right after a copy and others, in turn; *found_p is set if the first always take longer. */
static bool keep_pace(trial *e, uint32_t level, fault *found_p)
{
    double changed_ns = 0, same_ns = 0;
    for (int i = 0; i < PACES; i++) {
        spot_times times;
        trial_step(e, STEP_SAMPLE);
        /* The look before this one has ended with a copy. */
        const double first_ns = run_at(e, level);
        const double ns = first_ns < 0 ? first_ns : run_at(e, level);
        if (ns < 0 || !look_again(e, level, &times))
            return false;
        spot_times_least(&same_ns, ns);
        spot_times_least(&changed_ns, times.run_ns);
        if (changed_ns <= spot_pace_most(same_ns))
            return true;
    }
    *found_p = (fault){.code = FAULT_WORKS_AFTER_COPY, .ns = same_ns, .expected_ns = changed_ns};
    return true;
}

/* Does it work only where something was copied since the run before? Such a plugin sees every
 * change to its buffers, so that no output gives it away: the time of its other runs does. */
static bool judge_paces(trial *e)
{
    for (uint32_t level = 0; level < SPOT_LEVELS; level++) {
        const spot_pace *pace = &e->spot_times.paces[level];
        fault found = {.code = FAULT_NONE};
        if (pace->uneven == 0 || 2 * pace->uneven < pace->visits)
            continue;
        if (!keep_pace(e, level, &found))
            return false;
        if (found.code != FAULT_NONE)
            return trial_fault(e, found);
    }
    return true;
}

bool spot_judge_times(trial *e)
{
    bool slow = false;
    fault found = suspicion(e);
    if (!trial_copies_elements(e) || e->spot_times.looks == 0)
        return true;
    if (e->plugin->memory && !judge_paces(e))
        return false;
    if (found.code != FAULT_NONE && !look_on(e, &found))
        return false;
    if (found.code == FAULT_WORKS_IN_COPY && !machine_is_slow(e, &found, &slow))
        return false;
    return found.code == FAULT_NONE || slow || trial_fault(e, found);
}
