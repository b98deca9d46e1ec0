#include "output/rates.h"

#include "problem/names.h"

#include <string.h>

ceiling_key rates_ceiling_key(const measurement *m, phase_kind phase)
{
    return (ceiling_key){.backend = m->session->plugin->backend,
                         .device = m->session->device.name,
                         .threads = m->configuration->threads,
                         .parts = m->configuration->parts ? m->configuration->parts : 1,
                         .in_place = measurement_is_in_place(m),
                         .dtype = m->configuration->job.dtype,
                         .n = m->configuration->job.n,
                         .cache = (cache_state)m->configuration->job.cache,
                         .phase = phase};
}

baseline_key rates_baseline_key(const measurement *m)
{
    const job *j = &m->configuration->job;
    return (baseline_key){.dtype = j->dtype,
                          .op = j->op,
                          .kind = j->any_kind ? SCAN_KIND_COUNT : j->kind,
                          .n = j->n,
                          .cache = (cache_state)j->cache};
}

/* The phase of `of` that a phase is compared with: its own, the device's for kernels, or the run
 * where there is none of those. */
static const measurement_phase *phase_to_compare(const measurement *of, phase_kind kind)
{
    const bool device = phase_clock_of(kind) == PHASE_BY_DEVICE;
    const phase_name own = {.kind = device ? PHASE_DEVICE : kind};
    const measurement_phase *found = measurement_find(of, &own);
    return found || !device ? found : measurement_run(of);
}

/* The faster of two phases, either of which may be missing. */
static const measurement_phase *faster(const measurement_phase *a, const measurement_phase *b)
{
    if (!a || !b)
        return a ? a : b;
    return b->interval.median < a->interval.median ? b : a;
}

/* Does the copy bound the other? It may use fewer threads: starting them costs more than a small n.
 * The parts of a problem are copied each where it lies, so a copy in as many parts is meant; and a
 * scan in place moves its bytes within one array, as the ceiling in place does. */
static bool bounds(const ceiling_key *copy, const ceiling_key *other)
{
    return copy->threads <= other->threads && copy->parts == other->parts &&
           copy->in_place == other->in_place && copy->dtype == other->dtype &&
           copy->n == other->n && copy->cache == other->cache &&
           strcmp(copy->backend, other->backend) == 0 && strcmp(copy->device, other->device) == 0;
}

/* The fastest copy of the group that bounds a phase of m, or NULL. */
static const measurement_phase *find_ceiling(const group *g, const measurement *m, phase_kind kind)
{
    const ceiling_key key = rates_ceiling_key(m, kind);
    const measurement_phase *found = NULL;
    for (size_t i = 0; g && i < g->count; i++) {
        const measurement *other = &g->members[i].measurement;
        const ceiling_key others = rates_ceiling_key(other, kind);
        if (other->result.status == ROW_OK && measurement_is_ceiling(other) &&
            bounds(&others, &key))
            found = faster(found, phase_to_compare(other, kind));
    }
    return found;
}

/* The run of the group's fastest baseline in the same state of the caches as m, or NULL. */
static const measurement_phase *find_baseline(const rates_reference *r, const group *g,
                                              const measurement *m)
{
    const measurement_phase *found = NULL;
    for (size_t i = 0; g && i < g->count; i++) {
        const measurement *other = &g->members[i].measurement;
        if (other->result.status == ROW_OK &&
            other->configuration->job.cache == m->configuration->job.cache &&
            strcmp(other->session->plugin->id, r->baseline) == 0)
            found = faster(found, measurement_run(other));
    }
    return found;
}

/* How many times as long as `p` the other takes, round by round. Zeros where there is no other,
 * or no round of both. */
static stats_rounds times_as_long(const measurement_phase *other, const measurement_phase *p)
{
    stats_rounds ratio = {0};
    if (!other)
        return ratio;
    ratio = measurement_ratio(other, p);
    if (other == p)
        ratio.lo = ratio.hi = ratio.median;
    return ratio;
}

static void rate_against_copy(const rates_reference *r, const group *g, const measurement *m,
                              const measurement_phase *p, phase_rates *rates)
{
    const ceiling_key key = rates_ceiling_key(m, p->name.kind);
    const stats_rounds ratio = times_as_long(find_ceiling(g, m, p->name.kind), p);
    rates->pct_copy = 100 * ratio.median;
    if (ratio.has_ci) {
        rates->pct_copy_lo = 100 * ratio.lo;
        rates->pct_copy_hi = 100 * ratio.hi;
    }
    const bool whole = phase_scope_of(p->name.kind) == PHASE_WHOLE;
    rates->above_copy = whole && baseline_times_beats_copy(rates->pct_copy_lo, 100);
    if (ratio.n > 0)
        return;
    const double copy_ns = baseline_times_ceiling(r->times, &key);
    rates->pct_copy = 100 * copy_ns / p->interval.median;
    rates->above_copy =
        whole && baseline_times_beats_copy(copy_ns, p->interval.has_ci ? p->interval.hi : 0);
}

static void rate_against_baseline(const rates_reference *r, const group *g, const measurement *m,
                                  const measurement_phase *p, phase_rates *rates)
{
    const baseline_key key = rates_baseline_key(m);
    const stats_rounds ratio = times_as_long(find_baseline(r, g, m), p);
    rates->speedup = ratio.median;
    if (ratio.has_ci) {
        rates->speedup_lo = ratio.lo;
        rates->speedup_hi = ratio.hi;
    }
    if (ratio.n == 0)
        rates->speedup = baseline_times_baseline(r->times, &key) / p->interval.median;
}

/* The time of p over that of a calibrator in the same state of the caches, round by round. */
static stats_rounds over_calibrator(const group *g, const measurement_phase *p, calibrator which,
                                    uint32_t cache)
{
    const measurement *m = g ? group_calibrator(g, which, cache) : NULL;
    const measurement_phase *own = m ? measurement_run(m) : NULL;
    return own ? measurement_ratio(p, own) : (stats_rounds){0};
}

/* By the host's clock only: a device has another. */
static void calibrate(const group *g, const measurement *m, const measurement_phase *p,
                      phase_rates *rates)
{
    if (phase_clock_of(p->name.kind) == PHASE_BY_DEVICE)
        return;
    const uint32_t cache = m->configuration->job.cache;
    const measurement_phase spins = {.values = m->spins.chain_ns, .value_count = m->spins.count};
    rates->per_spin = measurement_ratio(p, &spins);
    rates->per_scan = over_calibrator(g, p, CALIBRATOR_SCAN, cache);
    rates->per_copy = over_calibrator(g, p, CALIBRATOR_COPY, cache);
}

phase_rates rates_of(const rates_reference *r, const group *g, const measurement *m,
                     const measurement_phase *p)
{
    const job *j = &m->configuration->job;
    phase_rates rates = {.median_ns = p->interval.median};
    const phase_scope scope = phase_scope_of(p->name.kind);
    const bool timed = p->interval.median > 0 && j->n > 0;
    if (!timed || scope == PHASE_TRANSFER || scope == PHASE_SETUP)
        return rates;
    const double seconds = p->interval.median * 1e-9;
    rates.bytes_per_s = 2.0 * (double)j->n * (double)dtype_bytes(j->dtype) / seconds;
    calibrate(g, m, p, &rates);
    rate_against_copy(r, g, m, p, &rates);
    if (scope == PHASE_WHOLE && !measurement_is_ceiling(m))
        rate_against_baseline(r, g, m, p, &rates);
    return rates;
}
