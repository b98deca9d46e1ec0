#include "worker/spot_plan.h"

#include "system/unpredictable.h"
#include "worker/trial.h"

#include <string.h>

/* A copy to or from a device takes microseconds: fewer of them are made there. */
enum { DEVICE_CHANGES = 2, RANDOM_PLACES = 3, DEVICE_RANDOM_PLACES = 1 };

/* Where sums are compared within a bound, one change lies among the first elements, for which the
 * bound is tight. */
enum { FRONT = 1024 };

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
static bool grows(const input_spec *spec, spot_block *scanned, size_t i)
{
    return !element_same(spec->dtype, spot_block_at(scanned, i), spot_block_at(scanned, i + 1));
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
    spot_block b, scanned;
    spot_block_read(spec, number, selects ? SPOT_STRIDE : 0, &b);
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

static void apply_changes(const spot_check *check, spot_block *b)
{
    for (size_t i = 0; i < check->change_count; i++) {
        const spot_change *c = &check->changes[i];
        if (c->index < b->first || c->index >= b->first + b->count)
            continue;
        memcpy(spot_block_at(b, (size_t)(c->index - b->first)), &c->is[0], b->width);
        memcpy(spot_block_at(b, (size_t)(c->index - b->first) + 1), &c->is[1], b->width);
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
    spot_block b;
    for (size_t i = 0; i < check->place_count; i++)
        if (check->places[i].index == index)
            return;
    spot_block_read(spec, index / SPOT_STRIDE, (size_t)(index % SPOT_STRIDE) + 1, &b);
    apply_changes(check, &b);
    reference r = trial_reference(e);
    reference_resume(&r, b.first, &e->spots->points[index / SPOT_STRIDE]);
    reference_pass(&r, b.bytes, (size_t)(index - b.first));
    spot_place *p = &check->places[check->place_count++];
    *p = (spot_place){.index = index,
                      .before = reference_here(&r),
                      .poison = poison_of(spec->dtype),
                      .poisoned =
                          index + 1 < spec->n || spec->n == 1 || unpredictable_below(2) == 0};
    memcpy(&p->element, spot_block_at(&b, (size_t)(index - b.first)), b.width);
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
    for (size_t i = 0; !e->buffers.in_place && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        if (p->poisoned)
            spot_stores_add(s, buffers_host_output(b, (size_t)p->index * s->width), &p->poison);
    }
}

/* The first comparison in full leaves the table, unless there was none, or no memory then. */
static bool have_table(trial *e)
{
    const bool copy = trial_is_copy(e);
    reference r = trial_reference(e);
    if (spot_table_holds(e->spots, &e->written, copy))
        return true;
    trial_step(e, STEP_WRITE_INPUT);
    return !trial_failed(e, spot_table_fill(e->spots, &e->written, copy, &r), STEP_STORE);
}

bool spot_plan(trial *e, spot_check *check_p)
{
    const uint64_t n = e->job->n;
    const bool device = trial_copies_elements(e);
    const uint64_t later =
        e->plugin->role != SCAN_ROLE_CEILING && e->job->kind == SCAN_KIND_EXCLUSIVE;
    const size_t changes = device ? DEVICE_CHANGES : SPOT_CHANGES;
    const size_t others = device ? DEVICE_RANDOM_PLACES : RANDOM_PLACES;
    check_p->change_count = check_p->place_count = 0;
    check_p->stores.count = 0;
    check_p->times = (spot_times){.looks = 1};
    check_p->looked = false;
    if (n == 0)
        return true;
    if (!have_table(e))
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
