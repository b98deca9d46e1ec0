#include "worker/spot_check.h"

#include "system/clock.h"
#include "system/unpredictable.h"
#include "worker/measure.h"
#include "worker/trial.h"

#include <math.h>
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

/* The points of the input in the buffers. SCAN_OK or SCAN_NO_MEMORY. */
static scan_status table_fill(trial *t)
{
    const input_spec *spec = &t->written;
    spot_block b = {.width = dtype_bytes(spec->dtype)};
    reference r = trial_reference(t, spec);
    if (!spot_table_make_room(t->spots, spec, trial_is_copy(t)) ||
        reference_begin_columns(&r) != SCAN_OK)
        return SCAN_NO_MEMORY;
    reference_keep(&r, t->spots->points, SPOT_STRIDE);
    for (uint64_t first = 0; first < spec->n; first += b.count) {
        b.count = spec->n - first < SPOT_STRIDE ? (size_t)(spec->n - first) : SPOT_STRIDE;
        input_fill(spec, first, b.count, b.bytes);
        reference_pass(&r, b.bytes, b.count);
    }
    reference_end_columns(&r);
    return SCAN_OK;
}

/* A comparison of one scan alone, which counts the elements of that. */
static reference reference_of_one(const trial *t)
{
    input_spec one = t->written;
    one.n = one.scan_n = input_scan_n(&t->written);
    one.inner = 1;
    return trial_reference(t, &one);
}

/* Such a one of the scan that a block lies in, from there on. */
static reference reference_at(const trial *t, const spot_block *b)
{
    reference r = reference_of_one(t);
    if (b->first.at > 0)
        reference_resume(&r, b->first.at,
                         &t->spots->points[reference_point_of(&t->written, SPOT_STRIDE, b->first)]);
    return r;
}

void spot_table_free(spot_table *table)
{
    free(table->points);
    *table = (spot_table){.points = NULL};
}

/* ---- which elements are changed, and which outputs are read -------------------- */

/* A copy to or from a device takes microseconds: fewer of them are made there. */
enum { DEVICE_CHANGES = 2, RANDOM_PLACES = 3, DEVICE_RANDOM_PLACES = 1 };

/* Where sums are compared within a bound, one change lies among the first elements of a scan, for
 * which the bound is tight. */
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

static bool is_free(const spot_check *check, const spot_change *one)
{
    for (size_t i = 0; i < check->change_count; i++) {
        const uint64_t *others = check->changes[i].index;
        if (one->index[0] == others[0] || one->index[0] == others[1] || one->index[1] == others[0])
            return false;
    }
    return true;
}

/* Adds a change in the block that an element lies in, at that or behind it; none where there is no
 * place for it. */
static void add_change(const trial *t, spot_check *check, input_place at)
{
    const input_spec *spec = &t->written;
    const bool selects = op_selects(spec->op);
    const size_t start = (size_t)(at.at % SPOT_STRIDE);
    spot_block b, scanned;
    block_read(spec, at, selects ? SPOT_STRIDE : 0, &b);
    scanned.width = b.width;
    if (selects) {
        const reference before = reference_at(t, &b);
        op_scan running = {.op = spec->op,
                           .dtype = spec->dtype,
                           .inclusive = true,
                           .carry = reference_here(&before).carry};
        op_scan_next(&running, b.bytes, scanned.bytes, b.count);
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
            selects && element_same(spec->dtype, block_at(&scanned, i), block_at(&scanned, i + 1));
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

/* No float that is NaN passes; an integer is right by chance once in 2^32 times. */
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
                      .poison = poison_of(spec->dtype),
                      .poisoned =
                          index + 1 < spec->n || spec->n == 1 || unpredictable_below(2) == 0};
    memcpy(&p->element, block_at(&b, behind), b.width);
}

static void add_put(trial *t, spot_check *check, spot_put put)
{
    const buffers *b = &t->buffers;
    put.offset *= check->width;
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
    front.at %= FRONT;
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

/* ---- what copies of a few bytes take ------------------------------------------- */

/* After a copy the host's caches hold other code. */
#define PACE_SLACK_NS 5e3

/* What a short copy may take longer without a reason. */
#define SPOT_SLACK_NS 2e4

/* The least of times, of which 0 is none. */
static void keep_least(double *least_p, double ns)
{
    if (ns > 0 && !(*least_p > 0 && *least_p <= ns))
        *least_p = ns;
}

/* The most that a copy of a few bytes may take. */
static double times_most(const spot_times *all)
{
    return 3 * all->idle_ns + 0.5 * all->run_ns + SPOT_SLACK_NS;
}

/* The most that a copy of a few bytes from an idle device may take beside its runs. Both wait for
 * the device once or twice, so that one is as long as the other where there is little to do.
 * Longer, it leaves room for the work of a run that has returned before. */
static double copies_most(const spot_times *all)
{
    return 2 * all->run_ns + SPOT_SLACK_NS;
}

/* Adds the times of a look to those of all looks. */
static void times_keep(spot_times *all, const spot_times *one)
{
    all->looks += one->looks;
    if (one->late_ns > times_most(one)) {
        all->late++;
        all->late_ns = one->late_ns;
    }
    keep_least(&all->in_ns, one->in_ns);
    keep_least(&all->poison_ns, one->poison_ns);
    keep_least(&all->idle_ns, one->idle_ns);
    keep_least(&all->run_ns, one->run_ns);
}

/* The most that a run after a copy may take where others take same_ns. */
static double pace_most(double same_ns)
{
    return fmin(3 * same_ns + PACE_SLACK_NS, 1.5 * same_ns + SPOT_SLACK_NS);
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

void spot_keep_other(spot_check *check, double run_ns)
{
    keep_least(&check->same_ns, run_ns);
}

/* Of constant width, so that no store is a call. */
__attribute__((no_sanitize("thread"))) void spot_store(const spot_check *check, bool changed)
{
    for (size_t i = 0; i < check->put_count; i++) {
        const spot_put *one = &check->puts[i];
        const any_element *value = one->is_input && !changed ? &one->before : &one->value;
        if (check->width == sizeof(uint32_t))
            *(uint32_t *)one->to = value->U32;
        else
            *(uint64_t *)one->to = value->U64;
    }
}

/* ---- a look at a run ----------------------------------------------------------- */

bool spot_put_all(trial *t, spot_check *check, bool back)
{
    for (size_t i = 0; i < check->put_count; i++) {
        const spot_put *p = &check->puts[i];
        const double start = clock_now_ns();
        if (back && !p->is_input)
            continue;
        const scan_status status =
            p->is_input ? buffers_put_input(&t->buffers, p->offset, back ? &p->before : &p->value,
                                            check->width)
                        : buffers_put_output(&t->buffers, p->offset, &p->value, check->width);
        if (trial_failed(t, status, STEP_COPY_IN))
            return false;
        keep_least(p->is_input ? &check->times.in_ns : &check->times.poison_ns,
                   clock_now_ns() - start);
    }
    return true;
}

static bool time_touch(trial *t, double *ns_p)
{
    const double start = clock_now_ns();
    if (trial_failed(t, buffers_tell(&t->buffers, PART_TOUCH), STEP_COPY_OUT))
        return false;
    *ns_p = clock_now_ns() - start;
    return true;
}

bool spot_begin(trial *t, spot_check *check)
{
    const bool copies = trial_copies_elements(t);
    if (check->place_count == 0)
        return true;
    /* The first touch may wait for what runs before have left; the second waits for nothing. */
    for (int i = 0; copies && i < 2; i++)
        if (!time_touch(t, &check->times.idle_ns))
            return false;
    if (copies)
        return spot_put_all(t, check, false);
    spot_store(check, true);
    return true;
}

bool spot_end(trial *t, spot_check *check)
{
    const size_t width = check->width;
    scan_status status = SCAN_OK;
    if (check->place_count == 0)
        return true;
    /* The first output that is read lies in one part, and others may still be written. */
    const bool each = t->buffers.part_count > 1 && trial_copies_elements(t);
    if (each && !time_touch(t, &check->times.late_ns))
        return false;
    const double start = clock_now_ns();
    for (size_t i = 0; status == SCAN_OK && i < check->place_count; i++) {
        spot_place *p = &check->places[i];
        status = buffers_get_output(&t->buffers, (size_t)p->index * width, &p->got, width);
        if (i == 0 && !each)
            check->times.late_ns = clock_now_ns() - start;
    }
    check->looked = true;
    return !trial_failed(t, status, STEP_COPY_OUT) && spot_put_all(t, check, true);
}

/* ---- what the looks have found ------------------------------------------------- */

/* How often times that look wrong are taken again: of copies, and of runs after a copy. */
enum { LOOKS = 40, PACES = 30, COPIES = 10 };

/* Of a pause between copies. */
static const double LONGEST_PAUSE_NS = 5e6;

static fault wrong_at(const trial *t, const spot_place *p, const any_element *expected)
{
    const size_t width = dtype_bytes(t->job->dtype);
    const bool poisoned = p->poisoned && !t->buffers.in_place;
    const bool unwritten = poisoned && memcmp(&p->got, &p->poison, width) == 0;
    fault f = {.code = unwritten ? FAULT_TIMED_UNWRITTEN : FAULT_TIMED_WRONG,
               .index = p->index,
               .scan_n = t->written.scan_n,
               .inner = t->written.inner,
               .dtype = t->job->dtype,
               .pattern = t->written.pattern};
    memcpy(&f.got, &p->got, width);
    memcpy(&f.expected, expected, width);
    return f;
}

bool spot_judge_outputs(trial *t, const spot_check *check)
{
    fault first = {.code = FAULT_NONE};
    uint64_t wrong = 0;
    for (size_t i = 0; check->looked && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        reference r = reference_of_one(t);
        reference_resume(&r, p->at, &p->before);
        const any_element expected = reference_check_one(&r, &p->element, &p->got);
        if (r.wrong && wrong++ == 0)
            first = wrong_at(t, p, &expected);
    }
    first.count = wrong;
    first.total = check->place_count;
    first.bytes = 2 * check->change_count;
    return wrong == 0 || trial_fault(t, first);
}

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
        keep_least(&least_ns, clock_now_ns() - start);
    }
    *slow_p = found->copy_ns <= 3 * least_ns + 0.5 * found->ns + SPOT_SLACK_NS;
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

/* Runs right after a copy and others, in turn; *found_p is set if the first always take longer. */
static bool keep_pace(trial *t, uint32_t level, fault *found_p)
{
    double changed_ns = 0, same_ns = 0;
    for (int i = 0; i < PACES; i++) {
        spot_times times;
        trial_step(t, STEP_SAMPLE);
        /* The look before this one has ended with a copy. */
        const double first_ns = run_at(t, level);
        const double ns = first_ns < 0 ? first_ns : run_at(t, level);
        if (ns < 0 || !look_again(t, level, &times))
            return false;
        keep_least(&same_ns, ns);
        keep_least(&changed_ns, times.run_ns);
        if (changed_ns <= pace_most(same_ns))
            return true;
    }
    *found_p = (fault){.code = FAULT_WORKS_AFTER_COPY, .ns = same_ns, .expected_ns = changed_ns};
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
    if (!time_touch(t, &late_ns) || !time_touch(t, &idle_ns))
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
    if (first_ns > 2 * again_ns + 0.5 * run_ns + SPOT_SLACK_NS)
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
    if (t->spot_times.idle_ns > 0.5 * t->spot_times.run_ns + SPOT_SLACK_NS)
        trial_flag(t, "slow_copies");
    return slow || !t->plugin->memory || (judge_copy_out(t) && judge_copy_in(t));
}
