/*
 * behaviour_races.c - many runs on one instance, each with another input and compared in full,
 * while threads are moved to other cores and delayed
 *
 * A race that is right by chance most of the time is wrong in a share p of the runs. `repeat` of
 * the job runs find it with the probability 1 - (1 - p)^repeat; moving and delaying threads makes p
 * larger. A new input for each run keeps what an earlier run left in scratch from being right
 * again.
 */
#include "system/clock.h"
#include "worker/behaviour.h"
#include "worker/buffers_compare.h"
#include "worker/delay.h"
#include "worker/move_threads.h"

/* How the threads are treated, in turns of this many runs, of which every second delays them. Where
 * no other thread was seen in the first of those, there is none to delay. */
typedef enum treatment { ANYWHERE, ON_ONE_CORE, APART, DELAYED, TREATMENTS } treatment;
enum { TURN = 16, SURE_TURNS = 16 };

static const fault_place places[TREATMENTS] = {[ANYWHERE] = FAULT_AT_LATER_RUN,
                                               [ON_ONE_CORE] = FAULT_AT_ONE_CORE,
                                               [APART] = FAULT_AT_MOVED,
                                               [DELAYED] = FAULT_AT_DELAYED};

typedef struct racing {
    trial *e;
    delay delay;
    move_threads moves;
    double run_ns;  /* how long a run takes, on average over the last ones that were left alone */
    double told_ns; /* when the supervisor last heard of us */
} racing;

static treatment treatment_of(const racing *r, uint32_t run)
{
    const uint32_t turn = run / TURN;
    const bool delays = turn < SURE_TURNS || delay_met_threads(&r->delay);
    return turn % 2 && delays ? DELAYED : (treatment)(turn / 2 % DELAYED);
}

static bool run_delayed(racing *r)
{
    delay_arm(&r->delay, r->run_ns);
    const bool good = trial_run(r->e);
    delay_disarm(&r->delay);
    return good;
}

static bool run_timed(racing *r, treatment how)
{
    const double share = 0.1, start = clock_now_ns();
    const bool good = trial_run(r->e);
    const double ns = clock_now_ns() - start;
    if (how == ANYWHERE)
        r->run_ns += r->run_ns > 0 ? share * (ns - r->run_ns) : ns;
    return good;
}

static bool run_once(racing *r, treatment how)
{
    return how == DELAYED ? run_delayed(r) : run_timed(r, how);
}

/* As trial_compare, without a message for every step: they would take longer than a run. */
static bool compare_run(racing *r, treatment how, const input_spec *spec)
{
    trial *e = r->e;
    fault found = {.code = FAULT_NONE};
    const buffers_question question = {
        .spec = spec, .kind = (scan_kind)e->job->kind, .rule = trial_rule(e)};
    if (trial_failed(e, buffers_write_input(&e->buffers, spec), STEP_WRITE_INPUT) ||
        trial_failed(e, buffers_poison(&e->buffers, spec), STEP_POISON) || !run_once(r, how) ||
        trial_failed(e, buffers_compare(&e->buffers, &question, &e->last, &found), STEP_COMPARE))
        return false;
    found.place = places[how];
    return found.code == FAULT_NONE ? !trial_trespassed(e) : trial_fault(e, found);
}

static void treat(racing *r, treatment how, uint64_t turn)
{
    if (how == ON_ONE_CORE)
        move_threads_to_one(&r->moves, r->e->job->seed + turn);
    else if (how == APART)
        move_threads_apart(&r->moves, r->e->job->seed + turn);
    else
        move_threads_anywhere(&r->moves);
    if (how == DELAYED)
        delay_find_threads(&r->delay);
}

static void race(racing *r)
{
    const job *j = r->e->job;
    const double start = clock_now_ns();
    treatment how = ANYWHERE;
    for (uint32_t i = 0; i < j->repeat; i++) {
        input_spec spec = job_input(j, j->pattern);
        spec.seed += i + 1;
        if (i > 0 && i % TURN == 0) { /* at first they are where the plugin has put them */
            how = treatment_of(r, i);
            treat(r, how, i / TURN);
        }
        r->e->runs = i + 1;
        if (!compare_run(r, how, &spec))
            return;
        trial_show_life(r->e, STEP_RUN, &r->told_ns);
        if (clock_now_ns() - start > j->time_limit_s * 1e9)
            return;
    }
}

void behave_races(trial *e)
{
    racing r = {.e = e, .run_ns = 0};
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    e->input_known = false;
    trial_step(e, STEP_RUN);
    r.told_ns = clock_now_ns();
    move_threads_begin(&r.moves, e->host->machine);
    delay_begin(&r.delay, e->job->seed);
    race(&r);
    delay_end(&r.delay);
    move_threads_end(&r.moves);
}
