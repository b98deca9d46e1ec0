/*
 * behaviour_instances.c - tests that instances, and the buffers of one instance, are kept apart
 */
#include "worker/behaviour.h"

#include "problem/declared.h"
#include "problem/names.h"
#include "problem/splitmix.h"

#include <stdlib.h>
#include <string.h>

trial behave_another(const trial *t, const job *j)
{
    trial other = *t;
    other.job = j;
    other.self = NULL;
    other.created = false;
    other.holds = HOLDS_NOTHING;
    other.buffers = (buffers){0};
    return other;
}

/* Copies the fault of another trial into `t`, if it has one. */
static bool note(trial *t, const trial *other, fault_place place)
{
    if (trial_is_good(other))
        return true;
    t->last = other->last;
    trial_fault(t, other->fault);
    t->fault.place = place;
    return false;
}

/* Is it declared, and may an instance beside the first be of it? */
static bool offers(const trial *t, uint32_t op, uint32_t kind, uint32_t dtype)
{
    return declared(t->plugin->ops, op, kind, dtype) &&
           t->job->behave.other_types & SCAN_BIT(dtype) &&
           t->job->behave.other_ops & SCAN_BIT(op) && t->job->behave.other_kinds & SCAN_BIT(kind);
}

/* The same of the type of its results, as in scan_problem. */
static bool offers_result(const trial *t, uint32_t dtype, uint32_t result)
{
    const uint64_t wider = declared_results(t->plugin->results, dtype);
    return t->job->behave.other_results & SCAN_BIT(result_dtype(dtype, result)) &&
           (result == 0 || wider & SCAN_BIT(result - 1));
}

/* Some tests are made at a few tiles only. */
enum { FEW = 1 << 16 };

/* What is to differ: the type and with it perhaps the operator, or one of the other two alone. */
typedef enum difference { TYPE, OPERATOR, KIND } difference;

/* The widest of these for results of `dtype`; 0 where there is none. */
static uint32_t widest_result(const trial *t, uint32_t dtype)
{
    uint32_t widest = 0;
    for (uint32_t to = 0; to < SCAN_DTYPE_COUNT; to++)
        if (dtype_bytes(to) > (widest ? dtype_bytes(widest - 1) : 0) &&
            offers_result(t, dtype, RESULT_OF(to)))
            widest = RESULT_OF(to);
    return widest;
}

/* Changes it, if the plugin and the device have another. */
static bool change(const trial *t, job *j, difference what)
{
    for (uint32_t dtype = SCAN_DTYPE_COUNT; dtype-- > 0;)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            const bool type = dtype != j->dtype, is_op = op != j->op;
            job other = *j;
            other.dtype = dtype;
            if (type)
                other.result = j->result ? widest_result(t, dtype) : 0;
            other.op = op;
            other.kind = what == KIND ? !j->kind : j->kind;
            if (type == (what == TYPE) && (type || is_op == (what == OPERATOR)) &&
                offers(t, op, other.kind, dtype) && trial_accepts(t, &other)) {
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
        if (!(one->flags & SCAN_TUNABLE_THREADS) && trial_accepts(t, &other))
            *j = other;
    }
}

void behave_halve(const trial *t, job *j)
{
    enum { MOST_UNIT = 1 << 16 };
    job other = *j;
    for (uint64_t unit = 1; unit <= MOST_UNIT; unit *= 2) {
        other.n = (j->n / 2 / unit + 1) * unit;
        if (other.n < j->n && trial_accepts(t, &other)) {
            *j = other;
            return;
        }
    }
}

/* Uses two instances in turn, both alive. */
static bool alternate(trial *t, const job *second)
{
    const uint32_t pattern = t->job->run.pattern;
    trial other = behave_another(t, second);
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
    if ((t->plugin->max_n > 0 && job_elements(&largest) > t->plugin->max_n) ||
        !trial_accepts(t, &largest))
        largest.n = t->job->n;
    trial other = behave_another(t, second), third = behave_another(t, &largest);
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

/* Many instances at once, each with an input of its own: one more than a plugin is likely to have
 * places for. */
enum { MANY = 17 };
typedef struct many {
    job jobs[MANY];
    trial trials[MANY];
} many;

/* `shorter`: each has so many elements fewer than the one before, where that is accepted. */
static bool use_many(trial *t, many *m, uint64_t shorter)
{
    enum { ROUNDS = 2 };
    bool good = true;
    for (int i = 0; i < MANY; i++) {
        job fewer = *t->job;
        fewer.seed += (uint64_t)i;
        m->jobs[i] = fewer;
        fewer.n -= shorter * (uint64_t)i;
        if (fewer.n < t->job->n && trial_accepts(t, &fewer))
            m->jobs[i] = fewer;
        m->trials[i] = behave_another(t, &m->jobs[i]);
        good = good && trial_begin(&m->trials[i]);
    }
    for (int i = 0; i < ROUNDS * MANY && good; i++)
        good = trial_check(&m->trials[i % MANY], t->job->run.pattern, 1);
    for (int i = 0; i < MANY; i++) {
        trial_end(&m->trials[i]);
        good = note(t, &m->trials[i], FAULT_AT_SECOND_INSTANCE) && good;
    }
    return good;
}

static bool many_alive(trial *t, uint64_t shorter)
{
    many *m = malloc(sizeof *m); /* the stack may be small */
    const bool good = m ? use_many(t, m, shorter) : !trial_failed(t, SCAN_NO_MEMORY, STEP_STORE);
    free(m);
    return good;
}

static bool allows(const scan_tunable *one, int64_t value)
{
    bool listed = !one->values && value >= one->min && value <= one->max;
    for (uint32_t i = 0; one->values && i < one->value_count; i++)
        listed |= one->values[i] == value;
    return listed;
}

/* Two instances that differ in the number of threads alone, of which the second has fewer, then
 * more. */
static bool other_threads(trial *t)
{
    static const int64_t counts[] = {1, 3};
    for (uint32_t i = 0; i < t->job->tunable_count; i++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            job other = *t->job;
            other.seed++;
            other.tunables[i] = counts[k];
            if (t->plugin->tunables[i].flags & SCAN_TUNABLE_THREADS &&
                allows(&t->plugin->tunables[i], counts[k]) && trial_accepts(t, &other) &&
                !alternate(t, &other))
                return false;
        }
    return true;
}

/* Two instances that differ in one field, which what they share may have forgotten: the operator,
 * the kind, the tunables. At a few tiles only: more would share nothing else. */
static bool alike_but_for_one(trial *t)
{
    enum { SHORTER = 64 }; /* what is left of a vector stays the same */
    job op = *t->job, kind = *t->job, tunables = *t->job;
    if (job_elements(t->job) > FEW)
        return true;
    op.seed++, kind.seed++, tunables.seed++;
    op.run.pattern = INPUT_EXACT;
    if (!many_alive(t, 0) || !many_alive(t, SHORTER) || !other_threads(t))
        return false;
    if (change(t, &op, OPERATOR) && !alternate(t, &op))
        return false;
    if (change(t, &kind, KIND) && !alternate(t, &kind))
        return false;
    change_tunables(t, &tunables);
    return t->job->tunable_count == 0 || alternate(t, &tunables);
}

/* Two instances that differ in the type of their results alone, of which one is wider than the
 * input. */
static bool other_results(trial *t)
{
    for (uint32_t result = 0; t->job->result && result <= SCAN_DTYPE_COUNT; result++) {
        job other = *t->job;
        other.seed++;
        other.result = result;
        if (result != t->job->result && offers_result(t, other.dtype, result) &&
            trial_accepts(t, &other) && !alternate(t, &other))
            return false;
    }
    return true;
}

/* Two instances of one n, of which the second has fewer scans, then one. */
static bool fewer_scans(trial *t)
{
    const uint64_t rows = job_rows(t->job), inner = job_inner(t->job);
    job fewer = *t->job;
    fewer.seed++;
    const uint64_t divisors[] = {2, rows * inner};
    for (size_t i = 0; rows * inner > 1 && i < 2; i++) {
        fewer.rows = (rows + divisors[i] - 1) / divisors[i];
        fewer.inner = (inner + divisors[i] - 1) / divisors[i];
        if (trial_accepts(t, &fewer) && !alternate(t, &fewer))
            return false;
    }
    return true;
}

/* Instances of one type and kind, each with another n or fewer scans; two that differ in one field;
 * and two whose problems differ in every field. */
void behave_instances(trial *t)
{
    job same = *t->job;
    same.seed++;
    behave_halve(t, &same);
    if (!alternate(t, &same) || !largest_between(t, &same) || !alike_but_for_one(t) ||
        !other_results(t) || !fewer_scans(t))
        return;
    job second = *t->job;
    behave_halve(t, &second);
    if (offers(t, second.op, !second.kind, second.dtype))
        second.kind = !second.kind;
    second.seed++;
    second.run.pattern = INPUT_EXACT;
    change(t, &second, TYPE);
    change_tunables(t, &second);
    alternate(t, &second);
}

/* Compares a run on buffers that lie as `whole` says; with `turned`, what was the input is the
 * output. */
static bool check_on(trial *t, part_spec whole, bool turned, fault_place place)
{
    input_spec spec = job_input(t->job, t->job->run.pattern);
    spec.seed += whole.misalign_in + whole.misalign_out + whole.gap;
    whole.in_place = t->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    trial_release(t);
    if (!trial_allocate(t, trial_layout(t), whole))
        return false;
    if (turned)
        buffers_turn(&t->buffers);
    return trial_compare_silently(t, &spec, place);
}

enum { LINE = 64, NEAR = 4 * LINE };

/* All pairs of places of input and output in a cache line, each with an instance of its own, and
 * with up to 63 elements fewer, because what is left over depends on both. Of types of which a word
 * holds several, each place of the input with one of the output in each word: all pairs modulo 16
 * bytes. */
void behave_places(trial *t)
{
    enum { WORD = 4 };
    const job *const given = t->job;
    const size_t width = dtype_bytes(given->dtype), out_width = dtype_bytes(job_result_type(given));
    const size_t step = out_width < WORD ? WORD : out_width;
    uint64_t pairs = 0;
    for (size_t in = 0; in < LINE; in += width)
        for (size_t out = (in / WORD + in / WORD / WORD) * out_width % step; out < LINE;
             out += step) {
            const part_spec whole = {.misalign_in = in, .misalign_out = out, .keeps = true};
            job fewer = *given;
            fewer.n -= given->n > LINE ? splitmix_hash(pairs++) % LINE : 0;
            t->job = trial_accepts(t, &fewer) ? &fewer : given;
            const bool good = trial_start(t) && check_on(t, whole, false, FAULT_AT_PLACES);
            t->job = given;
            t->brief = good; /* thousands of lives */
            if (!good)
                return;
            trial_destroy(t);
        }
    t->brief = false;
}

/* Input and output side by side, in either order, with less than four cache lines between them: as
 * far as the widest vectors reach that a loop reads ahead. */
static bool use_neighbours(trial *t)
{
    const size_t width = dtype_bytes(job_result_type(t->job));
    const size_t rest = t->buffers.bytes % width; /* the output begins aligned */
    for (size_t gap = rest ? width - rest : 0; gap < NEAR; gap += width)
        for (int turned = 0; turned < (t->job->result ? 1 : 2); turned++)
            if (!check_on(t, (part_spec){.beside = true, .gap = gap}, turned, FAULT_AT_SIDE))
                return false;
    return true;
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
    if (!good || t->plugin->memory || t->job->result)
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
    trial other = behave_another(t, t->job);
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
    if (!note(t, &other, FAULT_AT_OTHER_BUFFERS) || !good || !check_seed(t, seed + 4))
        return;
    if (job_elements(t->job) > FEW || t->plugin->memory || t->buffers.part_count > 1 ||
        t->buffers.in_place)
        return;
    use_neighbours(t);
}
