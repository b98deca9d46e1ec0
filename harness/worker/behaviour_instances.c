/*
 * behaviour_instances.c - tests that instances, and the buffers of one instance, are kept apart
 */
#include "worker/behaviour.h"

#include "problem/declared.h"

#include <string.h>

/* A second trial of the same plugin. note() copies its fault into `t`. */
static trial another(const trial *t, const job *j)
{
    trial other = *t;
    other.job = j;
    other.self = NULL;
    other.created = false;
    other.holds = HOLDS_NOTHING;
    other.buffers = (buffers){0};
    return other;
}

static bool note(trial *t, const trial *other, fault_place place)
{
    if (trial_is_good(other))
        return true;
    t->last = other->last;
    trial_fault(t, other->fault);
    t->fault.place = place;
    return false;
}

static bool accepts(const trial *t, const job *j)
{
    const scan_problem problem = trial_problem(j);
    bool accepted = !t->plugin->supports || t->plugin->supports(&t->host->host, t->exported,
                                                                t->context, &problem) == SCAN_OK;
    t->host->reason[0] = '\0';
    return accepted;
}

/* Is it declared, and may an instance beside the first be of it? */
static bool offers(const trial *t, uint32_t op, uint32_t kind, uint32_t dtype)
{
    return declared(t->plugin->ops, op, kind, dtype) &&
           t->job->behave.other_types & SCAN_BIT(dtype) &&
           t->job->behave.other_ops & SCAN_BIT(op) && t->job->behave.other_kinds & SCAN_BIT(kind);
}

/* What is to differ: the type and with it perhaps the operator, or one of the other two alone. */
typedef enum difference { TYPE, OPERATOR, KIND } difference;

/* Changes it, if the plugin and the device have another. */
static bool change(const trial *t, job *j, difference what)
{
    for (uint32_t dtype = SCAN_DTYPE_COUNT; dtype-- > 0;)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            const bool type = dtype != j->dtype, is_op = op != j->op;
            job other = *j;
            other.dtype = dtype;
            other.op = op;
            other.kind = what == KIND ? !j->kind : j->kind;
            if (type == (what == TYPE) && (type || is_op == (what == OPERATOR)) &&
                offers(t, op, other.kind, dtype) && accepts(t, &other)) {
                *j = other;
                return true;
            }
        }
    return false;
}

/* Gives every tunable another value, if the plugin accepts it. */
static void change_tunables(const trial *t, job *j)
{
    for (uint32_t i = 0; i < j->tunable_count; i++) {
        const scan_tunable *one = &t->plugin->tunables[i];
        const int64_t first = one->values ? one->values[0] : one->min;
        const int64_t last = one->values ? one->values[one->value_count - 1] : one->max;
        job other = *j;
        /* In more parts than it is asked for there may not be devices. */
        const bool divides = t->parts && strcmp(one->name, SCAN_PARTS_TUNABLE) == 0;
        if (divides)
            other.tunables[i] = 1;
        else
            other.tunables[i] = first != one->default_value ? first : last;
        if (!(one->flags & SCAN_TUNABLE_THREADS) && accepts(t, &other))
            *j = other;
    }
}

/* Makes n about half, at a size that the plugin accepts. */
static void change_size(const trial *t, job *j)
{
    enum { MOST_UNIT = 1 << 16 };
    job other = *j;
    for (uint64_t unit = 1; unit <= MOST_UNIT; unit *= 2) {
        other.n = (j->n / 2 / unit + 1) * unit;
        if (other.n < j->n && accepts(t, &other)) {
            *j = other;
            return;
        }
    }
}

/* Uses two instances in turn, both alive. */
static bool alternate(trial *t, const job *second)
{
    const uint32_t pattern = t->job->run.pattern;
    trial other = another(t, second);
    bool good = trial_begin(t) && trial_begin(&other) && trial_check(t, pattern, 1) &&
                trial_check(&other, second->run.pattern, 1) && trial_check(t, pattern, 1) &&
                trial_check(&other, second->run.pattern, 2);
    trial_end(t);
    good = good && trial_check(&other, second->run.pattern, 1);
    trial_end(&other);
    return note(t, &other, FAULT_AT_SECOND_INSTANCE) && good;
}

/* Uses a third instance, which is the largest and ends before the others. */
static bool largest_between(trial *t, const job *second)
{
    const uint32_t pattern = t->job->run.pattern;
    job largest = *t->job;
    largest.seed += 2;
    largest.n *= 2;
    if ((t->plugin->max_n > 0 && largest.n > t->plugin->max_n) || !accepts(t, &largest))
        largest.n = t->job->n;
    trial other = another(t, second), third = another(t, &largest);
    bool good = trial_begin(&other) && trial_check(&other, second->run.pattern, 1) &&
                trial_begin(t) && trial_begin(&third) && trial_check(&third, pattern, 1) &&
                trial_check(&other, second->run.pattern, 1) && trial_check(t, pattern, 1) &&
                trial_check(&third, pattern, 1);
    trial_end(&third);
    good = good && trial_check(t, pattern, 1) && trial_check(&other, second->run.pattern, 1);
    trial_end(t);
    good = good && trial_check(&other, second->run.pattern, 1);
    trial_end(&other);
    return note(t, &other, FAULT_AT_SECOND_INSTANCE) && note(t, &third, FAULT_AT_SECOND_INSTANCE) &&
           good;
}

/* Two instances that differ in one field, which what they share may have forgotten: the operator,
 * the kind, the tunables. At a few tiles only: more would share nothing else. */
static bool alike_but_for_one(trial *t)
{
    enum { FEW = 1 << 16 };
    job op = *t->job, kind = *t->job, tunables = *t->job;
    if (t->job->n > FEW)
        return true;
    op.seed++, kind.seed++, tunables.seed++;
    op.run.pattern = INPUT_EXACT;
    if (change(t, &op, OPERATOR) && !alternate(t, &op))
        return false;
    if (change(t, &kind, KIND) && !alternate(t, &kind))
        return false;
    change_tunables(t, &tunables);
    return t->job->tunable_count == 0 || alternate(t, &tunables);
}

/* Instances of one type and kind, each with another n; two that differ in one field; and two whose
 * problems differ in every field. */
void behave_instances(trial *t)
{
    job same = *t->job;
    same.seed++;
    change_size(t, &same);
    if (!alternate(t, &same) || !largest_between(t, &same) || !alike_but_for_one(t))
        return;
    job second = *t->job;
    change_size(t, &second);
    if (offers(t, second.op, !second.kind, second.dtype))
        second.kind = !second.kind;
    second.seed++;
    second.run.pattern = INPUT_EXACT;
    change(t, &second, TYPE);
    change_tunables(t, &second);
    alternate(t, &second);
}

static bool check_seed(trial *t, uint64_t seed)
{
    const job *kept = t->job;
    job other = *kept;
    other.seed = seed;
    t->job = &other;
    bool good = trial_check(t, other.run.pattern, 1);
    t->job = kept;
    return good;
}

/* The input of one set of buffers with the output of another, in both ways; and on the host, with
 * input and output exchanged, so that the one that lay above the other lies below it. */
static bool use_mixed(trial *t, trial *other, uint64_t seed)
{
    buffers_exchange_outputs(&t->buffers, &other->buffers);
    bool good = check_seed(other, seed) && check_seed(t, seed + 1);
    buffers_exchange_outputs(&t->buffers, &other->buffers);
    if (!good || t->plugin->memory)
        return good;
    buffers_turn(&other->buffers);
    good = check_seed(other, seed + 2);
    buffers_turn(&other->buffers);
    return good;
}

/* Uses one instance on two sets of buffers, each time with another input. */
void behave_buffers(trial *t)
{
    const uint64_t seed = t->job->seed;
    trial other = another(t, t->job);
    if (!trial_begin(t) || !check_seed(t, seed) || !check_seed(t, seed + 1))
        return;
    other.self = t->self;
    /* The other trial asks for no tile. */
    const part_spec whole = {.in_place = t->buffers.in_place};
    bool good = trial_allocate(&other, trial_layout(t), whole) && check_seed(&other, seed + 2) &&
                check_seed(&other, seed + 3);
    if (good && !t->buffers.in_place)
        good = use_mixed(t, &other, seed + 5);
    trial_end(&other);
    if (note(t, &other, FAULT_AT_OTHER_BUFFERS) && good)
        check_seed(t, seed + 4);
}
