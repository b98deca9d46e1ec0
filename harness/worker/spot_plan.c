/* spot_plan.c - which elements a look changes, which outputs it reads, and what these must be */
#include "worker/spot_check.h"

#include "system/unpredictable.h"
#include "worker/trial.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table of prefixes ----------------------------------------------------- */

/* Neighbours in a scan, as they are in memory. */
typedef struct spot_block {
    input_place first;
    size_t count, width;
    _Alignas(any_element) unsigned char bytes[SPOT_STRIDE * sizeof(any_element)];
} spot_block;

static void *block_at(spot_block *b, size_t i)
{
    return b->bytes + i * b->width;
}

/* The index of its i-th element. */
static uint64_t block_index(const input_spec *spec, const spot_block *b, size_t i)
{
    input_place place = b->first;
    place.at += i;
    return input_index_of(spec, place);
}

/* Reads at most `count` elements of the block that an element lies in. */
static void block_read(const input_spec *spec, input_place of, size_t count, spot_block *b_p)
{
    const uint64_t n = input_scan_n(spec), inner = input_inner(spec);
    b_p->first = of;
    b_p->first.at = of.at / SPOT_STRIDE * SPOT_STRIDE;
    b_p->count = n - b_p->first.at < count ? (size_t)(n - b_p->first.at) : count;
    b_p->width = dtype_bytes(spec->dtype);
    for (size_t i = 0; inner > 1 && i < b_p->count; i++)
        input_fill(spec, block_index(spec, b_p, i), 1, block_at(b_p, i));
    if (inner == 1)
        input_fill(spec, block_index(spec, b_p, 0), b_p->count, b_p->bytes);
}

bool spot_table_holds(const spot_table *table, const input_spec *spec, bool copy)
{
    return table->points && table->copy == copy && input_same(&table->spec, spec);
}

reference_point *spot_table_make_room(spot_table *table, const input_spec *spec, bool copy)
{
    spot_table_free(table);
    table->spec = *spec;
    table->copy = copy;
    table->count = reference_points(spec, SPOT_STRIDE);
    table->points = calloc(table->count + 1, sizeof *table->points);
    return table->points;
}

void spot_table_free(spot_table *table)
{
    free(table->points);
    *table = (spot_table){.points = NULL};
}

/* The points of the input in the buffers. SCAN_OK or SCAN_NO_MEMORY. */
static scan_status table_fill(trial *t)
{
    const input_spec *spec = &t->written;
    spot_block b = {.width = dtype_bytes(spec->dtype)};
    reference r = trial_reference(t, spec);
    if (!spot_table_make_room(t->spots, spec, trial_is_copy(t)) ||
        reference_begin_columns(&r) != SCAN_OK) {
        spot_table_free(t->spots); /* the next configuration must not take zeros for points */
        return SCAN_NO_MEMORY;
    }
    reference_keep(&r, t->spots->points, SPOT_STRIDE);
    for (uint64_t first = 0; first < spec->n; first += b.count) {
        b.count = spec->n - first < SPOT_STRIDE ? (size_t)(spec->n - first) : SPOT_STRIDE;
        input_fill(spec, first, b.count, b.bytes);
        reference_pass(&r, b.bytes, b.count);
    }
    reference_end_columns(&r);
    return SCAN_OK;
}

reference spot_reference(const trial *t)
{
    input_spec one = t->written;
    one.n = one.scan_n = input_scan_n(&t->written);
    one.inner = 1;
    return trial_reference(t, &one);
}

/* The same from a block on, of the scan that it lies in. */
static reference reference_at(const trial *t, const spot_block *b)
{
    reference r = spot_reference(t);
    if (b->first.at > 0)
        reference_resume(&r, b->first.at,
                         &t->spots->points[reference_point_of(&t->written, SPOT_STRIDE, b->first)]);
    return r;
}

/* ---- which elements are changed, and which outputs are read -------------------- */

/* A copy to or from a device takes microseconds: fewer of them are made there. */
enum { DEVICE_CHANGES = 2, RANDOM_PLACES = 3, DEVICE_RANDOM_PLACES = 1 };

/* Where sums are compared within a bound, one change lies among the first elements of a scan, for
 * which the bound is tight; and the last places of floats of 16 bits, which hide a change. */
enum { FRONT = 1024, FRONT_OF_HALVES = 16 };

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

static bool is_free(const spot_check *check, const spot_change *one)
{
    for (size_t i = 0; i < check->change_count; i++) {
        const uint64_t *others = check->changes[i].index;
        if (one->index[0] == others[0] || one->index[0] == others[1] || one->index[1] == others[0])
            return false;
    }
    return true;
}

/* What an operator that selects has found before block `k` of the scan that an element lies in. */
static any_element found_before(const trial *t, input_place of, uint64_t k)
{
    const input_spec *spec = &t->written;
    of.at = k * SPOT_STRIDE;
    return k == 0 ? op_identity(spec->op, input_result(spec))
                  : t->spots->points[reference_point_of(spec, SPOT_STRIDE, of)].carry;
}

/* An element from there on, or else of the scan, in whose block the running result of an operator
 * that selects grows: in few blocks of many, where the type has few values. */
static input_place place_of_growth(const trial *t, input_place at)
{
    const uint64_t last = (input_scan_n(&t->written) - 1) / SPOT_STRIDE;
    const uint64_t starts[] = {at.at / SPOT_STRIDE, 0};
    for (size_t i = 0; i < 2; i++) {
        uint64_t same = starts[i], grown = last;
        const any_element before = found_before(t, at, same);
        const any_element after = found_before(t, at, last);
        if (element_same(input_result(&t->written), &before, &after))
            continue;
        while (grown - same > 1) {
            const uint64_t k = same + (grown - same) / 2;
            const any_element found = found_before(t, at, k);
            *(element_same(input_result(&t->written), &before, &found) ? &same : &grown) = k;
        }
        if (same != at.at / SPOT_STRIDE)
            at.at = same * SPOT_STRIDE;
        return at;
    }
    return at;
}

/* Adds a change in the block that an element lies in, at that or behind it; none where there is no
 * place for it. */
static void add_change(const trial *t, spot_check *check, input_place at)
{
    const input_spec *spec = &t->written;
    const bool selects = op_selects(spec->op);
    if (selects)
        at = place_of_growth(t, at);
    const size_t start = (size_t)(at.at % SPOT_STRIDE);
    const uint32_t result = input_result(spec);
    spot_block b, scanned;
    block_read(spec, at, selects ? SPOT_STRIDE : 0, &b);
    scanned.width = dtype_bytes(result);
    if (selects) {
        const reference before = reference_at(t, &b);
        op_scan running = {.op = spec->op,
                           .dtype = result,
                           .inclusive = true,
                           .carry = reference_here(&before).carry};
        if (spec->result)
            dtype_widen(spec->dtype, b.bytes, result, scanned.bytes, b.count);
        op_scan_next(&running, spec->result ? scanned.bytes : b.bytes, scanned.bytes, b.count);
    }
    const uint64_t left = input_scan_n(spec) - b.first.at;
    const size_t elements = (size_t)(left < SPOT_STRIDE ? left : SPOT_STRIDE);
    /* cppcheck-suppress knownConditionTrueFalse ; it takes `left` for 0 */
    for (size_t k = 0; k + 1 < elements; k++) {
        const size_t i = (start + k) % (elements - 1);
        spot_change c = {.index = {block_index(spec, &b, i), block_index(spec, &b, i + 1)}};
        input_fill(spec, c.index[0], 1, &c.was[0]);
        input_fill(spec, c.index[1], 1, &c.was[1]);
        /* Of an operator that selects, the running result must grow with the second of the two:
         * exchanged, it grows one element earlier. */
        const bool stays =
            selects && element_same(result, block_at(&scanned, i), block_at(&scanned, i + 1));
        if (stays || !is_free(check, &c) || !change_neighbours(spec, &c))
            continue;
        check->changes[check->change_count++] = c;
        return;
    }
}

static void apply_changes(const input_spec *spec, const spot_check *check, spot_block *b)
{
    for (size_t i = 0; i < 2 * check->change_count; i++) {
        const spot_change *c = &check->changes[i / 2];
        const input_place place = input_place_of(spec, c->index[i % 2]);
        if (place.row == b->first.row && place.column == b->first.column &&
            place.at >= b->first.at && place.at - b->first.at < b->count)
            memcpy(block_at(b, (size_t)(place.at - b->first.at)), &c->is[i % 2], b->width);
    }
}

/* No float that is NaN passes; an integer of w bits is right by chance once in 2^w times. */
static any_element poison_of(uint32_t dtype)
{
    const uint64_t word = dtype_is_float(dtype) ? UINT64_MAX : unpredictable();
    any_element poison = {0};
    memcpy(&poison, &word, dtype_bytes(dtype));
    return poison;
}

static void add_place(const trial *t, spot_check *check, uint64_t index)
{
    const input_spec *spec = &t->written;
    spot_block b;
    for (size_t i = 0; i < check->place_count; i++)
        if (check->places[i].index == index)
            return;
    const input_place place = input_place_of(spec, index);
    const size_t behind = (size_t)(place.at % SPOT_STRIDE);
    block_read(spec, place, behind + 1, &b);
    apply_changes(spec, check, &b);
    reference r = reference_at(t, &b);
    reference_pass(&r, b.bytes, behind);
    spot_place *p = &check->places[check->place_count++];
    *p = (spot_place){.index = index,
                      .at = place.at,
                      .before = reference_here(&r),
                      .poison = poison_of(input_result(spec)),
                      .poisoned =
                          index + 1 < spec->n || spec->n == 1 || unpredictable_below(2) == 0};
    memcpy(&p->element, block_at(&b, behind), b.width);
}

static void add_put(trial *t, spot_check *check, spot_put put)
{
    const buffers *b = &t->buffers;
    put.offset *= put.is_input ? check->width : check->out_width;
    if (!trial_copies_elements(t))
        put.to =
            put.is_input ? buffers_kept_input(b, put.offset) : buffers_run_output(b, put.offset);
    check->puts[check->put_count++] = put;
}

static void plan_puts(trial *t, spot_check *check)
{
    for (size_t i = 0; i < 2 * check->change_count; i++) {
        const spot_change *c = &check->changes[i / 2];
        add_put(t, check,
                (spot_put){.is_input = true,
                           .offset = (size_t)c->index[i % 2],
                           .value = c->is[i % 2],
                           .before = c->was[i % 2]});
    }
    for (size_t i = 0; !t->buffers.in_place && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        if (p->poisoned)
            add_put(t, check, (spot_put){.offset = (size_t)p->index, .value = p->poison});
    }
}

bool spot_plan(trial *t, spot_check *check_p)
{
    const uint64_t n = t->written.n;
    const bool device = trial_copies_elements(t);
    const uint64_t later =
        t->plugin->role != SCAN_ROLE_CEILING && t->job->kind == SCAN_KIND_EXCLUSIVE;
    const size_t changes = device ? DEVICE_CHANGES : SPOT_CHANGES;
    const size_t others = device ? DEVICE_RANDOM_PLACES : RANDOM_PLACES;
    check_p->change_count = check_p->place_count = check_p->put_count = 0;
    check_p->width = dtype_bytes(t->job->dtype);
    check_p->out_width = dtype_bytes(job_result_type(t->job));
    check_p->times = (spot_times){.looks = 1};
    check_p->looked = false;
    if (n == 0)
        return true;
    /* The first comparison in full leaves the table, unless there was none, or no memory then. */
    if (!spot_table_holds(t->spots, &t->written, trial_is_copy(t))) {
        trial_step(t, STEP_WRITE_INPUT);
        if (trial_failed(t, table_fill(t), STEP_STORE))
            return false;
    }
    input_place front = input_place_of(&t->written, unpredictable_below(n));
    front.at %= dtype_is_half(t->job->dtype) ? FRONT_OF_HALVES : FRONT;
    if (!input_is_exact(&t->written))
        add_change(t, check_p, front);
    for (size_t i = check_p->change_count; i < changes; i++)
        add_change(t, check_p, input_place_of(&t->written, unpredictable_below(n)));
    add_place(t, check_p, n - 1); /* the first to be read */
    for (size_t i = 0; i < check_p->change_count; i++)
        add_place(t, check_p, check_p->changes[i].index[later]);
    for (size_t i = 0; i < others; i++)
        add_place(t, check_p, unpredictable_below(n));
    plan_puts(t, check_p);
    return true;
}
