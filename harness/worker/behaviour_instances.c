/*
 * behaviour_instances.c - tests that instances, and the buffers of one instance, are kept apart
 */
#include "worker/behaviour.h"

#include "problem/declared.h"

#include <string.h>

/* A second trial of the same plugin. note() copies its fault into `e`. */
static trial another(const trial *e, const job *j)
{
    trial other = *e;
    other.job = j;
    other.self = NULL;
    other.created = other.buffers_live = false;
    other.buffers = (buffers){0};
    return other;
}

static bool note(trial *e, const trial *other, fault_place place)
{
    if (trial_is_good(other))
        return true;
    e->last = other->last;
    trial_fault(e, other->fault);
    e->fault.place = place;
    return false;
}

static bool accepts(const trial *e, const job *j)
{
    const scan_problem problem = trial_problem(j);
    bool accepted = !e->plugin->supports || e->plugin->supports(&e->host->host, e->exported,
                                                                e->context, &problem) == SCAN_OK;
    e->host->reason[0] = '\0';
    return accepted;
}

/* Is it declared, and may an instance beside the first be of it? */
static bool offers(const trial *e, uint32_t op, uint32_t kind, uint32_t dtype)
{
    return declared(e->plugin->ops, op, kind, dtype) && e->job->other_types & SCAN_BIT(dtype) &&
           e->job->other_ops & SCAN_BIT(op) && e->job->other_kinds & SCAN_BIT(kind);
}

/* Changes the type and operator of `j`, if the plugin and the device have another. */
static void change_type(const trial *e, job *j)
{
    for (uint32_t dtype = SCAN_DTYPE_COUNT; dtype-- > 0;)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            job other = *j;
            other.dtype = dtype;
            other.op = op;
            if (dtype != j->dtype && offers(e, op, j->kind, dtype) && accepts(e, &other)) {
                *j = other;
                return;
            }
        }
}

/* Changes the operator alone. false if there is no other. */
static bool change_op(const trial *e, job *j)
{
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
        job other = *j;
        other.op = op;
        if (op != j->op && offers(e, op, j->kind, j->dtype) && accepts(e, &other)) {
            j->op = op;
            return true;
        }
    }
    return false;
}

/* Changes the kind alone. */
static bool change_kind(const trial *e, job *j)
{
    job other = *j;
    other.kind = !j->kind;
    if (!offers(e, j->op, other.kind, j->dtype) || !accepts(e, &other))
        return false;
    j->kind = other.kind;
    return true;
}

/* Gives every tunable another value, if the plugin accepts it. */
static void change_tunables(const trial *e, job *j)
{
    for (uint32_t i = 0; i < j->tunable_count; i++) {
        const scan_tunable *t = &e->plugin->tunables[i];
        const int64_t first = t->values ? t->values[0] : t->min;
        const int64_t last = t->values ? t->values[t->value_count - 1] : t->max;
        job other = *j;
        /* In more parts than it is asked for there may not be devices. */
        const bool divides = e->parts && strcmp(t->name, SCAN_PARTS_TUNABLE) == 0;
        if (divides)
            other.tunables[i] = 1;
        else
            other.tunables[i] = first != t->default_value ? first : last;
        if (!(t->flags & SCAN_TUNABLE_THREADS) && accepts(e, &other))
            *j = other;
    }
}

/* Makes n about half, at a size that the plugin accepts. */
static void change_size(const trial *e, job *j)
{
    enum { MOST_UNIT = 1 << 16 };
    job other = *j;
    for (uint64_t unit = 1; unit <= MOST_UNIT; unit *= 2) {
        other.n = (j->n / 2 / unit + 1) * unit;
        if (other.n < j->n && accepts(e, &other)) {
            *j = other;
            return;
        }
    }
}

/* Makes n about twice as large, where the plugin accepts that. */
static void enlarge(const trial *e, job *j)
{
    const uint64_t most = e->plugin->max_n;
    job other = *j;
    other.n = 2 * j->n;
    if ((most == 0 || other.n <= most) && accepts(e, &other))
        *j = other;
}

/* Uses two instances in turn, both alive. */
static bool alternate(trial *e, const job *second)
{
    const uint32_t pattern = e->job->pattern;
    trial other = another(e, second);
    bool good = trial_begin(e) && trial_begin(&other) && trial_check(e, pattern, 1) &&
                trial_check(&other, second->pattern, 1) && trial_check(e, pattern, 1) &&
                trial_check(&other, second->pattern, 2);
    trial_end(e);
    good = good && trial_check(&other, second->pattern, 1);
    trial_end(&other);
    return note(e, &other, FAULT_AT_SECOND_INSTANCE) && good;
}

/* Uses a third instance, which is the largest and ends before the others. */
static bool largest_between(trial *e, const job *second)
{
    const uint32_t pattern = e->job->pattern;
    job largest = *e->job;
    largest.seed += 2;
    enlarge(e, &largest);
    trial other = another(e, second), third = another(e, &largest);
    bool good = trial_begin(&other) && trial_check(&other, second->pattern, 1) && trial_begin(e) &&
                trial_begin(&third) && trial_check(&third, pattern, 1) &&
                trial_check(&other, second->pattern, 1) && trial_check(e, pattern, 1) &&
                trial_check(&third, pattern, 1);
    trial_end(&third);
    good = good && trial_check(e, pattern, 1) && trial_check(&other, second->pattern, 1);
    trial_end(e);
    good = good && trial_check(&other, second->pattern, 1);
    trial_end(&other);
    return note(e, &other, FAULT_AT_SECOND_INSTANCE) && note(e, &third, FAULT_AT_SECOND_INSTANCE) &&
           good;
}

/* Two instances that differ in one field, which what they share may have forgotten: the operator,
 * the kind, the tunables. At a few tiles only: more would share nothing else. */
static bool alike_but_for_one(trial *e)
{
    enum { FEW = 1 << 16 };
    job op = *e->job, kind = *e->job, tunables = *e->job;
    if (e->job->n > FEW)
        return true;
    op.seed++, kind.seed++, tunables.seed++;
    op.pattern = INPUT_EXACT;
    if (change_op(e, &op) && !alternate(e, &op))
        return false;
    if (change_kind(e, &kind) && !alternate(e, &kind))
        return false;
    change_tunables(e, &tunables);
    return e->job->tunable_count == 0 || alternate(e, &tunables);
}

/* Instances of one type and kind, each with another n; two that differ in one field; and two whose
 * problems differ in every field. */
void behave_instances(trial *e)
{
    job same = *e->job;
    same.seed++;
    change_size(e, &same);
    if (!alternate(e, &same) || !largest_between(e, &same) || !alike_but_for_one(e))
        return;
    job second = *e->job;
    change_size(e, &second);
    if (offers(e, second.op, !second.kind, second.dtype))
        second.kind = !second.kind;
    second.seed++;
    second.pattern = INPUT_EXACT;
    change_type(e, &second);
    change_tunables(e, &second);
    alternate(e, &second);
}

static bool check_seed(trial *e, uint64_t seed)
{
    const job *kept = e->job;
    job other = *kept;
    other.seed = seed;
    e->job = &other;
    bool good = trial_check(e, other.pattern, 1);
    e->job = kept;
    return good;
}

/* The input of one set of buffers with the output of another, in both ways; and on the host, with
 * input and output exchanged, so that the one that lay above the other lies below it. */
static bool use_mixed(trial *e, trial *other, uint64_t seed)
{
    buffers_exchange_outputs(&e->buffers, &other->buffers);
    bool good = check_seed(other, seed) && check_seed(e, seed + 1);
    buffers_exchange_outputs(&e->buffers, &other->buffers);
    if (!good || e->plugin->memory)
        return good;
    buffers_turn(&other->buffers);
    good = check_seed(other, seed + 2);
    buffers_turn(&other->buffers);
    return good;
}

/* Uses one instance on two sets of buffers, each time with another input. */
void behave_buffers(trial *e)
{
    const uint64_t seed = e->job->seed;
    trial other = another(e, e->job);
    if (!trial_begin(e) || !check_seed(e, seed) || !check_seed(e, seed + 1))
        return;
    const buffers_spec spec = {.layout = trial_layout(e), /* the other trial asks for no tile */
                               .whole = {.plugin = e->plugin,
                                         .context = e->context,
                                         .host = e->host,
                                         .bytes = e->buffers.bytes,
                                         .in_place = e->buffers.in_place}};
    other.self = e->self;
    bool good = trial_allocate(&other, &spec) && check_seed(&other, seed + 2) &&
                check_seed(&other, seed + 3);
    if (good && !e->buffers.in_place)
        good = use_mixed(e, &other, seed + 5);
    trial_end(&other);
    if (note(e, &other, FAULT_AT_OTHER_BUFFERS) && good)
        check_seed(e, seed + 4);
}
