#include "worker/spot_check.h"

#include "system/clock.h"
#include "system/unpredictable.h"
#include "worker/timed_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy to or from a device takes microseconds: fewer of them are made there. */
enum { DEVICE_CHANGES = 2, RANDOM_PLACES = 3, DEVICE_RANDOM_PLACES = 1 };

/* Where sums are compared within a bound, one change lies among the first elements, for which the
 * bound is tight. */
enum { FRONT = 1024 };

/* How often times of copies that look wrong are taken again; what a short copy may take longer
 * without a reason. */
enum { LOOKS = 40 };
#define SLACK_NS 2e4

/* ---- prefixes -------------------------------------------------------------- */

/* Elements of the input, as they are in memory. */
typedef struct block {
    uint64_t first;
    size_t count, width;
    _Alignas(any_element) unsigned char bytes[SPOT_STRIDE * sizeof(any_element)];
} block;

/* Reads at most `count` elements of the block of that number. */
static void block_read(const input_spec *spec, uint64_t number, size_t count, block *b_p)
{
    b_p->first = number * SPOT_STRIDE;
    b_p->count = spec->n - b_p->first < count ? (size_t)(spec->n - b_p->first) : count;
    b_p->width = dtype_bytes(spec->dtype);
    input_fill(spec, b_p->first, b_p->count, b_p->bytes);
}

static void *block_at(block *b, size_t i)
{
    return b->bytes + i * b->width;
}

static bool is_copy(const trial *e)
{
    return e->plugin->role == SCAN_ROLE_CEILING;
}

static reference begin_reference(const trial *e)
{
    reference r;
    reference_begin(&r, &e->written, (scan_kind)e->job->kind, is_copy(e));
    return r;
}

static bool table_suits(const spot_table *t, const trial *e)
{
    const input_spec *a = &t->spec, *b = &e->written;
    return t->points && t->copy == is_copy(e) && a->dtype == b->dtype && a->op == b->op &&
           a->pattern == b->pattern && a->seed == b->seed && a->n == b->n &&
           a->position == b->position;
}

/* Room for the points of the input in the buffers. */
static bool make_room(trial *e)
{
    spot_table *t = e->spots;
    spot_table_free(t);
    t->spec = e->written;
    t->copy = is_copy(e);
    t->count = (e->written.n + SPOT_STRIDE - 1) / SPOT_STRIDE;
    t->points = malloc((t->count + 1) * sizeof *t->points);
    return t->points != NULL;
}

reference_point *spot_table_to_fill(trial *e)
{
    if (table_suits(e->spots, e) || !make_room(e))
        return NULL;
    return e->spots->points;
}

void spot_table_filled(trial *e, bool whole)
{
    if (!whole)
        spot_table_free(e->spots);
}

/* For a trial that has not been compared yet, and where there was no memory for it then. */
static bool need_table(trial *e)
{
    spot_table *t = e->spots;
    reference r = begin_reference(e);
    block b;
    if (table_suits(t, e))
        return true;
    if (!make_room(e))
        return !trial_failed(e, SCAN_NO_MEMORY, STEP_STORE);
    trial_step(e, STEP_WRITE_INPUT);
    for (uint64_t i = 0; i < t->count; i++) {
        t->points[i] = reference_here(&r);
        block_read(&e->written, i, SPOT_STRIDE, &b);
        reference_pass(&r, b.bytes, b.count);
    }
    return true;
}

void spot_table_free(spot_table *table)
{
    free(table->points);
    *table = (spot_table){.points = NULL};
}

/* ---- changes --------------------------------------------------------------- */

/* Two pairs (a, b) whose composition stays: with integers any d may be added to the first b, if d
 * times the second a is taken from the second. Floats must not round, so that the two b are
 * exchanged where the second a is 1. */
static bool change_pairs(uint32_t dtype, spot_change *c)
{
    const uint32_t d = (uint32_t)unpredictable() | 1;
    if (dtype == SCAN_DTYPE_U32X2) {
        c->is[0].U32X2.b += d;
        c->is[1].U32X2.b -= d * c->is[1].U32X2.a;
        return true;
    }
    if (dtype != SCAN_DTYPE_F32X2 || !(c->was[1].F32X2.a == 1) ||
        c->was[0].F32X2.b == c->was[1].F32X2.b)
        return false;
    c->is[0].F32X2.b = c->was[1].F32X2.b;
    c->is[1].F32X2.b = c->was[0].F32X2.b;
    return true;
}

/* false if these neighbours cannot be changed so that one output alone differs. */
static bool change_neighbours(const input_spec *spec, spot_change *c)
{
    memcpy(c->is, c->was, sizeof c->is);
    if (dtype_get(spec->dtype)->components == 2)
        return change_pairs(spec->dtype, c);
    c->is[0] = c->was[1];
    c->is[1] = c->was[0];
    const void *one = &c->was[0], *other = &c->was[1];
    return op_commutes(spec->op) && memcmp(one, other, dtype_bytes(spec->dtype)) != 0;
}

/* Of an operator that selects, the running result must grow with the second of two neighbours:
 * exchanged, it grows one element earlier. `scanned` holds the running results. */
static bool grows(const input_spec *spec, block *scanned, size_t i)
{
    return !element_same(spec->dtype, block_at(scanned, i), block_at(scanned, i + 1));
}

static bool is_free(const spot_check *check, uint64_t index)
{
    for (size_t i = 0; i < check->change_count; i++)
        if (index + 1 >= check->changes[i].index && index <= check->changes[i].index + 1)
            return false;
    return true;
}

/* Adds a change in one block, at `start` or behind it; none where there is no place for it. */
static void add_change(const trial *e, spot_check *check, uint64_t number, size_t start)
{
    const input_spec *spec = &e->written;
    const bool selects = op_selects(spec->op);
    block b, scanned;
    block_read(spec, number, selects ? SPOT_STRIDE : 0, &b);
    scanned.width = b.width;
    if (selects) {
        op_scan running = {.op = spec->op,
                           .dtype = spec->dtype,
                           .inclusive = true,
                           .carry = e->spots->points[number].carry};
        op_scan_next(&running, b.bytes, scanned.bytes, b.count);
    }
    const uint64_t left = spec->n - b.first;
    const size_t elements = (size_t)(left < SPOT_STRIDE ? left : SPOT_STRIDE);
    /* cppcheck-suppress knownConditionTrueFalse ; it takes `left` for 0 */
    for (size_t k = 0; k + 1 < elements; k++) {
        const size_t i = (start + k) % (elements - 1);
        spot_change c = {.index = b.first + i};
        input_fill(spec, c.index, 1, &c.was[0]);
        input_fill(spec, c.index + 1, 1, &c.was[1]);
        if (!is_free(check, c.index) || (selects && !grows(spec, &scanned, i)) ||
            !change_neighbours(spec, &c))
            continue;
        check->changes[check->change_count++] = c;
        return;
    }
}

/* ---- places ---------------------------------------------------------------- */

static void apply_changes(const spot_check *check, block *b)
{
    for (size_t i = 0; i < check->change_count; i++) {
        const spot_change *c = &check->changes[i];
        if (c->index < b->first || c->index >= b->first + b->count)
            continue;
        memcpy(block_at(b, (size_t)(c->index - b->first)), &c->is[0], b->width);
        memcpy(block_at(b, (size_t)(c->index - b->first) + 1), &c->is[1], b->width);
    }
}

/* No float that is NaN passes; an integer is right by chance once in 2^32 times. */
static any_element poison_of(uint32_t dtype)
{
    const uint64_t word = dtype_is_float(dtype) ? UINT64_MAX : unpredictable();
    any_element poison = {0};
    memcpy(&poison, &word, dtype_bytes(dtype));
    return poison;
}

static void add_place(const trial *e, spot_check *check, uint64_t index)
{
    const input_spec *spec = &e->written;
    block b;
    for (size_t i = 0; i < check->place_count; i++)
        if (check->places[i].index == index)
            return;
    block_read(spec, index / SPOT_STRIDE, (size_t)(index % SPOT_STRIDE) + 1, &b);
    apply_changes(check, &b);
    reference r = begin_reference(e);
    reference_resume(&r, b.first, &e->spots->points[index / SPOT_STRIDE]);
    reference_pass(&r, b.bytes, (size_t)(index - b.first));
    spot_place *p = &check->places[check->place_count++];
    *p = (spot_place){.index = index,
                      .before = reference_here(&r),
                      .poison = poison_of(spec->dtype),
                      .poisoned =
                          index + 1 < spec->n || spec->n == 1 || unpredictable_below(2) == 0};
    memcpy(&p->element, block_at(&b, (size_t)(index - b.first)), b.width);
}

/* On the host, a look begins with stores. */
static void plan_stores(trial *e, spot_check *check)
{
    spot_stores *s = &check->stores;
    const buffers *b = &e->buffers;
    s->count = 0;
    s->width = dtype_bytes(e->job->dtype);
    for (size_t i = 0; i < 2 * check->change_count; i++) {
        const spot_change *c = &check->changes[i / 2];
        spot_stores_add(s, buffers_kept_input(b, (size_t)(c->index + i % 2) * s->width),
                        &c->is[i % 2]);
    }
    for (size_t i = 0; !b->in_place && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        if (p->poisoned)
            spot_stores_add(s, buffers_host_output(b, (size_t)p->index * s->width), &p->poison);
    }
}

bool spot_check_plan(trial *e, spot_check *check_p)
{
    const uint64_t n = e->job->n;
    const bool device = trial_copies_elements(e);
    const uint64_t later = !is_copy(e) && e->job->kind == SCAN_KIND_EXCLUSIVE;
    const size_t changes = device ? DEVICE_CHANGES : SPOT_CHANGES;
    const size_t others = device ? DEVICE_RANDOM_PLACES : RANDOM_PLACES;
    check_p->change_count = check_p->place_count = 0;
    check_p->stores.count = 0;
    check_p->times = (spot_times){.looks = 1};
    check_p->looked = false;
    if (n == 0)
        return true;
    if (!need_table(e))
        return false;
    if (!input_is_exact(&e->written))
        add_change(e, check_p, 0, (size_t)unpredictable_below(n < FRONT ? n : FRONT));
    for (size_t i = check_p->change_count; i < changes; i++)
        add_change(e, check_p, unpredictable_below(e->spots->count),
                   (size_t)unpredictable_below(SPOT_STRIDE));
    add_place(e, check_p, n - 1); /* the first to be read */
    for (size_t i = 0; i < check_p->change_count; i++)
        add_place(e, check_p, check_p->changes[i].index + later);
    for (size_t i = 0; i < others; i++)
        add_place(e, check_p, unpredictable_below(n));
    if (!device)
        plan_stores(e, check_p);
    return true;
}

/* ---- looking --------------------------------------------------------------- */

/* The least of times, of which 0 is none. */
static void keep_least(double *least_p, double ns)
{
    if (ns > 0 && !(*least_p > 0 && *least_p <= ns))
        *least_p = ns;
}

static bool put_changes(trial *e, spot_check *check, bool back)
{
    const size_t width = dtype_bytes(e->job->dtype);
    for (size_t i = 0; i < 2 * check->change_count; i++) {
        const spot_change *c = &check->changes[i / 2];
        const any_element *from = back ? c->was : c->is;
        const size_t offset = (size_t)(c->index + i % 2) * width;
        const double start = clock_now_ns();
        if (trial_failed(e, buffers_put_input(&e->buffers, offset, &from[i % 2], width),
                         STEP_COPY_IN))
            return false;
        keep_least(&check->times.in_ns, clock_now_ns() - start);
    }
    return true;
}

static bool put_poison(trial *e, spot_check *check)
{
    const size_t width = dtype_bytes(e->job->dtype);
    for (size_t i = 0; i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        const double start = clock_now_ns();
        if (!p->poisoned)
            continue;
        if (trial_failed(
                e, buffers_put_output(&e->buffers, (size_t)p->index * width, &p->poison, width),
                STEP_COPY_IN))
            return false;
        keep_least(&check->times.poison_ns, clock_now_ns() - start);
    }
    return true;
}

/* The first copy may wait for what runs before have left; the second waits for nothing. */
static bool time_idle(trial *e, spot_check *check)
{
    for (int i = 0; e->plugin->memory && i < 2; i++) {
        const double start = clock_now_ns();
        if (trial_failed(e, buffers_touch_device(&e->buffers), STEP_COPY_OUT))
            return false;
        check->times.idle_ns = clock_now_ns() - start;
    }
    return true;
}

bool spot_check_begin(trial *e, spot_check *check)
{
    if (check->place_count == 0)
        return true;
    if (trial_copies_elements(e))
        return time_idle(e, check) && put_changes(e, check, false) && put_poison(e, check);
    spot_stores_make(&check->stores);
    return true;
}

/* The most that a copy of a few bytes may take. */
static double most_ns(const spot_times *t)
{
    return 3 * t->idle_ns + 0.5 * t->run_ns + SLACK_NS;
}

static void keep_times(spot_times *all, const spot_times *one)
{
    all->looks += one->looks;
    if (one->late_ns > most_ns(one)) {
        all->late++;
        all->late_ns = one->late_ns;
    }
    keep_least(&all->in_ns, one->in_ns);
    keep_least(&all->poison_ns, one->poison_ns);
    keep_least(&all->idle_ns, one->idle_ns);
    keep_least(&all->run_ns, one->run_ns);
}

bool spot_check_end(trial *e, spot_check *check, double run_ns)
{
    const size_t width = dtype_bytes(e->job->dtype);
    scan_status status = SCAN_OK;
    const double start = clock_now_ns();
    if (check->place_count == 0)
        return true;
    for (size_t i = 0; status == SCAN_OK && i < check->place_count; i++) {
        spot_place *p = &check->places[i];
        status = buffers_get_output(&e->buffers, (size_t)p->index * width, &p->got, width);
        if (i == 0)
            check->times.late_ns = clock_now_ns() - start;
    }
    check->looked = true;
    check->times.run_ns = run_ns;
    if (trial_failed(e, status, STEP_COPY_OUT) || !put_changes(e, check, true))
        return false;
    keep_times(&e->spot_times, &check->times);
    return true;
}

/* ---- judging --------------------------------------------------------------- */

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

bool spot_check_compare(trial *e, const spot_check *check)
{
    fault first = {.code = FAULT_NONE};
    uint64_t wrong = 0;
    for (size_t i = 0; check->looked && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        reference r = begin_reference(e);
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
    } else if (in_ns > most_ns(t)) {
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
    return spot_check_plan(e, &check) && spot_check_begin(e, &check) &&
           (ns = timed_run(e, 1)) >= 0 && spot_check_end(e, &check, ns) &&
           spot_check_compare(e, &check);
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
        keep_least(&least_ns, clock_now_ns() - start);
    }
    *slow_p = found->copy_ns <= 3 * least_ns + 0.5 * found->ns + SLACK_NS;
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

bool spot_check_judge(trial *e)
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
