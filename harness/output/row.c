#include "output/row.h"

#include "problem/names.h"
#include "text/array_room.h"
#include "text/hash_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A time that others may be compared with. */
typedef struct reference {
    const session *session;
    uint64_t n, rows, inner;
    uint32_t dtype, result, op, kind, cache; /* kind: SCAN_KIND_COUNT where any will do */
    unsigned threads, parts;
    phase_kind phase;
    double median_ns;
    size_t previous; /* of the same n, rows, inner, dtype, result and cache, or NONE */
} reference;

#define NONE SIZE_MAX

struct row_references {
    const char *baseline;
    hash_map *last; /* by n, rows, inner, dtype, result and cache: the last of `items` */
    reference *items;
    size_t count, capacity;
};

row_references *row_references_new(const char *baseline)
{
    row_references *known = calloc(1, sizeof *known);
    if (known)
        *known = (row_references){.baseline = baseline, .last = hash_map_new()};
    if (known && known->last)
        return known;
    row_references_free(known);
    return NULL;
}

void row_references_free(row_references *known)
{
    if (!known)
        return;
    hash_map_free(known->last);
    free(known->items);
    free(known);
}

static reference reference_of(const measurement *m, phase_kind phase, double median_ns)
{
    const configuration *c = m->configuration;
    return (reference){.session = m->session,
                       .n = c->job.n,
                       .rows = job_rows(&c->job),
                       .inner = job_inner(&c->job),
                       .dtype = c->job.dtype,
                       .result = c->job.result,
                       .op = c->job.op,
                       .kind = c->job.measure.any_kind ? SCAN_KIND_COUNT : c->job.kind,
                       .cache = c->job.cache,
                       .threads = c->threads,
                       .parts = c->parts ? c->parts : 1,
                       .phase = phase,
                       .median_ns = median_ns,
                       .previous = NONE};
}

enum { KEY_BYTES = 112 };

static const char *key_of(const reference *of, char text[KEY_BYTES])
{
    snprintf(text, KEY_BYTES,
             "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32, of->n,
             of->rows, of->inner, of->dtype, of->result, of->cache);
    return text;
}

/* The usual baseline is the program's own, whatever other files call theirs. */
static bool is_baseline(const row_references *known, const session *one)
{
    return strcmp(one->plugin->id, known->baseline) == 0 &&
           (one->plugin->bundled || strcmp(known->baseline, ROW_USUAL_BASELINE) != 0);
}

/* Is it called as a ceiling that comes with the program, but is another? */
static bool takes_our_place(const plugin_info *ceiling)
{
    static const char *const ours[] = {"cpu_memcpy",    "cpu_in_place",     "cuda_memcpy",
                                       "cuda_in_place", "cuda_stream_copy", "mpi_copy",
                                       "opencl_copy",   "opencl_in_place"};
    bool called = false;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        called |= strcmp(ceiling->id, ours[i]) == 0;
    return called && !ceiling->bundled;
}

/* A slow copy beside an algorithm would praise it: a file's own ceiling does not bound it, but is
 * held against the other ceilings, itself among them. One in the place of ours bounds no other. */
static bool is_independent(const plugin_info *ceiling, const plugin_info *of)
{
    if (takes_our_place(ceiling))
        return ceiling == of;
    return of->role == SCAN_ROLE_CEILING || ceiling->bundled || !ceiling->file || !of->file ||
           strcmp(ceiling->file, of->file) != 0;
}

scan_status row_references_add(row_references *known, const measurement *m, phase_kind phase,
                               double median_ns)
{
    const bool copies = measurement_is_ceiling(m) && phase_scope_of(phase) == PHASE_WHOLE;
    char key[KEY_BYTES];
    if (!copies && !(is_baseline(known, m->session) && phase == PHASE_RUN))
        return SCAN_OK;
    reference new = reference_of(m, phase, median_ns);
    reference *items =
        array_room(known->items, &known->capacity, known->count, 1, sizeof *known->items);
    size_t *last = items ? hash_map_add(known->last, key_of(&new, key), NONE) : NULL;
    if (items)
        known->items = items;
    if (!last)
        return SCAN_NO_MEMORY;
    new.previous = *last;
    *last = known->count;
    known->items[known->count++] = new;
    return SCAN_OK;
}

static bool same_arrays(const reference *a, const reference *b)
{
    return a->n == b->n && a->rows == b->rows && a->inner == b->inner && a->dtype == b->dtype &&
           a->result == b->result && a->cache == b->cache;
}

static bool is_in_place(const session *one)
{
    return one->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

/* Does the copy bound the other? It may use fewer threads: starting them costs more than a small n.
 * The parts of a problem are copied each where it lies, so a copy in as many parts is meant; and a
 * scan in place moves its bytes within one array, as the ceiling in place does. */
static bool bounds(const row_references *known, const reference *copy, const reference *other)
{
    const plugin_info *by = copy->session->plugin, *of = other->session->plugin;
    (void)known;
    return by->role == SCAN_ROLE_CEILING && is_independent(by, of) &&
           copy->threads <= other->threads && copy->parts == other->parts &&
           same_arrays(copy, other) && is_in_place(copy->session) == is_in_place(other->session) &&
           strcmp(by->backend, of->backend) == 0 &&
           strcmp(copy->session->device.name, other->session->device.name) == 0;
}

static bool is_baseline_of(const row_references *known, const reference *base,
                           const reference *other)
{
    return is_baseline(known, base->session) && same_arrays(base, other) && base->op == other->op &&
           base->kind == other->kind;
}

typedef bool reference_fits(const row_references *known, const reference *one,
                            const reference *other);

/* The least median of that phase that was kept of what fits; 0 where there is none. */
static double kept_ns(const row_references *known, const reference *other, phase_kind phase,
                      reference_fits *fits)
{
    char key[KEY_BYTES];
    double least = 0;
    const size_t *last = hash_map_find(known->last, key_of(other, key));
    for (size_t i = last ? *last : NONE; i != NONE; i = known->items[i].previous) {
        const reference *one = &known->items[i];
        if (one->phase == phase && fits(known, one, other) &&
            (least <= 0 || one->median_ns < least))
            least = one->median_ns;
    }
    return least;
}

/* The phase that a phase is compared with: its own, the device's for kernels. */
static phase_kind kind_to_compare(phase_kind kind)
{
    return kind == PHASE_KERNEL ? PHASE_DEVICE : kind;
}

/* That phase of `of`; where the device's clock took no time, the run. */
static const measurement_phase *phase_to_compare(const measurement *of, phase_kind kind)
{
    const phase_name own = {.kind = kind_to_compare(kind)};
    const measurement_phase *found = measurement_find(of, &own);
    return found || own.kind != PHASE_DEVICE ? found : measurement_run(of);
}

/* The fastest phase of the group's members that fit, or NULL. */
static const measurement_phase *fastest_of(const row_references *known, const group *g,
                                           const reference *other, phase_kind phase,
                                           reference_fits *fits)
{
    const measurement_phase *found = NULL;
    for (size_t i = 0; g && i < g->count; i++) {
        const measurement *m = &g->members[i].measurement;
        const reference one = reference_of(m, phase, 0);
        const measurement_phase *p = m->result.status == ROW_OK && fits(known, &one, other)
                                         ? phase_to_compare(m, phase)
                                         : NULL;
        if (p && (!found || p->interval.median < found->interval.median))
            found = p;
    }
    return found;
}

/* How many times as long as p the other takes. */
static stats_rounds times_as_long(const measurement_phase *other, const measurement_phase *p)
{
    stats_rounds ratio = {.n = 0};
    if (other)
        ratio = measurement_ratio(other, p);
    if (ratio.n > 0 && other == p)
        ratio.lo = ratio.hi = ratio.median;
    return ratio;
}

/* Over 2 % even at the near end of the interval: then there is a faster copy than those measured.
 */
#define ABOVE 1.02

static void rate_against_copy(const row_references *known, const group *g, const reference *own,
                              measured_row *r)
{
    const phase_kind phase = r->p->name.kind;
    const bool whole = phase_scope_of(phase) == PHASE_WHOLE;
    r->copy = times_as_long(fastest_of(known, g, own, phase, bounds), r->p);
    r->above_copy = whole && r->copy.has_ci && r->copy.lo > ABOVE;
    if (r->copy.n > 0)
        return;
    double copy_ns = kept_ns(known, own, kind_to_compare(phase), bounds);
    if (copy_ns <= 0 && kind_to_compare(phase) == PHASE_DEVICE)
        copy_ns = kept_ns(known, own, PHASE_RUN, bounds);
    r->copy.median = copy_ns / r->p->interval.median;
    r->above_copy = whole && r->p->interval.has_ci && copy_ns > ABOVE * r->p->interval.hi;
}

static void rate_against_baseline(const row_references *known, const group *g, const reference *own,
                                  measured_row *r)
{
    r->speedup = times_as_long(fastest_of(known, g, own, PHASE_RUN, is_baseline_of), r->p);
    if (r->speedup.n == 0)
        r->speedup.median = kept_ns(known, own, PHASE_RUN, is_baseline_of) / r->p->interval.median;
}

/* One that has a time per element; a calibrator works on elements of its own. */
static void rate(const row_references *known, const group *g, measured_row *r)
{
    const job *j = &r->m->configuration->job;
    const phase_scope scope = phase_scope_of(r->p->name.kind);
    const double seconds = r->p->interval.median * 1e-9;
    if (r->calibrator || scope == PHASE_SETUP || !(seconds > 0) || j->n == 0)
        return;
    r->elems_per_s = (double)job_elements(j) / seconds;
    if (scope == PHASE_TRANSFER)
        return;
    r->bytes_per_s = (double)job_moved_bytes(j) / seconds;
    const reference own = reference_of(r->m, r->p->name.kind, r->p->interval.median);
    rate_against_copy(known, g, &own, r);
    if (scope == PHASE_WHOLE && !measurement_is_ceiling(r->m))
        rate_against_baseline(known, g, &own, r);
}

measured_row row_make(const row_origin *origin, const row_references *known, const group *g,
                      const measurement *m, const measurement_phase *p)
{
    measured_row r = {.origin = origin,
                      .m = m,
                      .p = p,
                      .problem = &m->configuration->job,
                      .calibrator = strcmp(m->session->plugin->backend, CALIBRATOR_BACKEND) == 0};
    if (r.calibrator && g)
        r.problem = &g->members[0].configuration.job;
    if (p)
        rate(known, g, &r);
    return r;
}
