#include "worker/spot_judge.h"

#include "system/clock.h"
#include "worker/spot_plan.h"
#include "worker/timed_run.h"

#include <math.h>
#include <string.h>

/* How often times of copies that look wrong are taken again. */
enum { LOOKS = 40 };

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
        reference r = spot_reference(e);
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

/* One more look, whose run belongs to no sample. */
static bool look_again(trial *e)
{
    spot_check check;
    double ns;
    return spot_plan(e, &check) && spot_check_begin(e, &check) && (ns = timed_run(e, 1)) >= 0 &&
           spot_check_end(e, &check, ns) && spot_judge_outputs(e, &check);
}

/* A device that other processes use too lets a copy to it wait. So what copies take is held against
 * what the same copies take, and at best, once there is no instance that could work in them. */
static bool machine_is_slow(trial *e, const fault *found, bool *slow_p)
{
    const size_t width = dtype_bytes(e->job->dtype);
    any_element first;
    double least_ns = 0;
    input_fill(&e->written, 0, 1, &first);
    trial_destroy(e);
    for (int i = 0; i < LOOKS; i++) {
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
        trial_step(e, STEP_SAMPLE);
        if (!look_again(e))
            return false;
        if (suspected == FAULT_WORKS_IN_COPY || i + 1 == LOOKS)
            *found_p = fault_of_times(&e->spot_times);
    }
    return true;
}

bool spot_judge_times(trial *e)
{
    bool slow = false;
    fault found = fault_of_times(&e->spot_times);
    if (!e->plugin->memory || e->spot_times.looks == 0)
        return true;
    if (found.code != FAULT_NONE && !look_on(e, &found))
        return false;
    if (found.code == FAULT_WORKS_IN_COPY && !machine_is_slow(e, &found, &slow))
        return false;
    return found.code == FAULT_NONE || slow || trial_fault(e, found);
}
