#include "sweep/measurement.h"

#include "problem/names.h"
#include "text/array_room.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool measurement_is_ceiling(const measurement *m)
{
    return m->session->plugin->role == SCAN_ROLE_CEILING;
}

bool measurement_is_in_place(const measurement *m)
{
    return m->session->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

const measurement_phase *measurement_find(const measurement *m, const phase_name *name)
{
    for (size_t i = 0; i < m->phase_count; i++)
        if (phase_equal(&m->phases[i].name, name))
            return &m->phases[i];
    return NULL;
}

const measurement_phase *measurement_run(const measurement *m)
{
    return measurement_find(m, &(phase_name){.kind = PHASE_RUN});
}

stats_rounds measurement_ratio(const measurement_phase *above, const measurement_phase *below)
{
    stats_rounds ratio = {.n = 0};
    const size_t rounds =
        above->value_count < below->value_count ? above->value_count : below->value_count;
    if (stats_rounds_ratio(above->values, below->values, rounds, &ratio) != SCAN_OK || ratio.n == 0)
        return (stats_rounds){.n = 0};
    return ratio;
}

/* The phase, or a new one, or NULL where there are too many. */
static measurement_phase *phase_of(measurement *m, const measurement_visit *v)
{
    const measurement_phase *there = measurement_find(m, &v->name);
    if (!there && m->phase_count == MEASUREMENT_PHASES)
        return NULL;
    measurement_phase *p = &m->phases[there ? (size_t)(there - m->phases) : m->phase_count++];
    if (!there)
        *p = (measurement_phase){.name = v->name, .batch = v->batch};
    return p;
}

static scan_status add_sample(measurement_phase *p, double ns, uint32_t round)
{
    double *samples = array_room(p->samples, &p->capacity, p->count, 1, sizeof *samples);
    if (!samples)
        return SCAN_NO_MEMORY;
    p->samples = samples;
    uint32_t *rounds = array_room(p->rounds, &p->round_capacity, p->count, 1, sizeof *rounds);
    if (!rounds)
        return SCAN_NO_MEMORY;
    p->rounds = rounds;
    p->samples[p->count] = ns;
    p->rounds[p->count++] = round;
    return SCAN_OK;
}

/* Values of rounds; those of rounds before the last without one are NaN. */
typedef struct by_round {
    double **values;
    size_t *count, *capacity;
} by_round;

static scan_status add_value(by_round of, double value, uint32_t round)
{
    const size_t more = round >= *of.count ? round + 1 - *of.count : 0;
    double *values = array_room(*of.values, of.capacity, *of.count, more, sizeof *values);
    if (!values)
        return SCAN_NO_MEMORY;
    *of.values = values;
    while (*of.count <= round)
        values[(*of.count)++] = NAN;
    values[round] = value;
    return SCAN_OK;
}

/* Does the text begin with a number? */
static bool has_sample(const char *samples)
{
    char *end;
    const double ns = strtod(samples, &end);
    return end != samples && isfinite(ns);
}

scan_status measurement_add(measurement *m, const measurement_visit *v)
{
    if (!has_sample(v->samples)) /* a phase without samples has no row */
        return SCAN_OK;
    measurement_phase *p = phase_of(m, v);
    const size_t before = p ? p->count : 0;
    scan_status status = SCAN_OK;
    for (const char *at = v->samples; p && *at && status == SCAN_OK;) {
        char *end;
        const double ns = strtod(at, &end);
        if (end == at || !isfinite(ns))
            break;
        status = add_sample(p, ns, v->round);
        at = *end == ',' ? end + 1 : end;
    }
    if (!p || status != SCAN_OK || p->count == before)
        return status;
    const size_t count = p->count - before;
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return SCAN_NO_MEMORY;
    memcpy(sorted, p->samples + before, count * sizeof *sorted);
    const bool by_device = phase_clock_of(p->name.kind) == PHASE_BY_DEVICE;
    const double value =
        by_device ? stats_round_middle(sorted, count) : stats_round_value(sorted, count);
    status =
        add_value((by_round){&p->values, &p->value_count, &p->value_capacity}, value, v->round);
    free(sorted);
    return status;
}

scan_status measurement_add_spin(measurement *m, uint32_t round, double ns)
{
    measurement_spins *s = &m->spins;
    return add_value((by_round){&s->chain_ns, &s->count, &s->capacity}, ns > 0 ? ns : NAN, round);
}

static void free_phase(measurement_phase *p)
{
    free(p->samples);
    free(p->rounds);
    free(p->values);
}

/* A phase that took less than its clock can tell has no time. */
static void drop_zero_phases(measurement *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].interval.median > 0 || m->phases[i].name.kind == PHASE_RUN)
            m->phases[kept++] = m->phases[i];
        else
            free_phase(&m->phases[i]);
    m->has_zero_phase |= kept < m->phase_count;
    m->phase_count = kept;
}

scan_status measurement_summarize(measurement *m, stop_reason stop)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count && status == SCAN_OK; i++) {
        measurement_phase *p = &m->phases[i];
        p->stop = p->name.kind == PHASE_CREATE ? STOP_ONCE : stop;
        status = stats_summarize(p->samples, p->count, &p->summary);
        if (status == SCAN_OK)
            status = stats_rounds_summarize(p->values, p->value_count, &p->interval);
    }
    if (status == SCAN_OK)
        drop_zero_phases(m);
    return status;
}

void measurement_free(measurement *m)
{
    for (size_t i = 0; i < m->phase_count; i++)
        free_phase(&m->phases[i]);
    free(m->spins.chain_ns);
    m->spins = (measurement_spins){0};
    m->phase_count = 0;
}

void measurement_key(const measurement *m, char text[MEASUREMENT_KEY_BYTES])
{
    const configuration *c = m->configuration;
    const bool ceiling = measurement_is_ceiling(m);
    char block[24] = "", vt[24] = "";
    if (c->has_block)
        snprintf(block, sizeof block, "%" PRId64, c->block);
    if (c->has_vt)
        snprintf(vt, sizeof vt, "%" PRId64, c->vt);
    snprintf(text, MEASUREMENT_KEY_BYTES,
             "%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64
             "\t%s\t%" PRIu64,
             m->session->plugin->id, m->session->device.name, ceiling ? "" : kind_name(c->job.kind),
             ceiling ? "" : op_name(c->job.op), dtype_name(c->job.dtype), c->job.n, block, vt,
             c->params, cache_state_word(c->job.cache), ceiling ? "" : job_kinds_word(&c->job),
             job_rows(&c->job), job_inner(&c->job), dtype_name(job_result_type(&c->job)),
             c->job.seed);
}
