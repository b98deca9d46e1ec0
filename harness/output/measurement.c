#include "output/measurement.h"

#include "problem/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const measurement_key_columns[MEASUREMENT_KEY_COLUMNS] = {
    "plugin", "device", "kind", "op", "dtype", "n", "block", "vt", "params", "seed"};

bool measurement_is_ceiling(const measurement *m)
{
    return m->session->plugin->role == SCAN_ROLE_CEILING;
}

void measurement_add(measurement *m, const phase_name *name, unsigned batch, const char *stop,
                     const char *samples)
{
    size_t capacity = 1;
    for (const char *at = samples; *at; at++)
        capacity += *at == ',';
    double *values = calloc(capacity, sizeof *values);
    if (!values || m->phase_count == MEASUREMENT_PHASES) {
        free(values);
        return;
    }
    measurement_phase p = {.name = *name, .batch = batch, .samples = values};
    snprintf(p.stop, sizeof p.stop, "%s", stop);
    const char *at = samples;
    while (*at && p.count < capacity) {
        char *end;
        values[p.count] = strtod(at, &end);
        if (end == at)
            break;
        p.count++;
        at = *end == ',' ? end + 1 : end;
    }
    if (p.count == 0 || stats_summarize(values, p.count, &p.summary) != SCAN_OK)
        free(values);
    else
        m->phases[m->phase_count++] = p;
}

void measurement_free(measurement *m)
{
    for (size_t i = 0; i < m->phase_count; i++)
        free(m->phases[i].samples);
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
    snprintf(text, MEASUREMENT_KEY_BYTES, "%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%s\t%s\t%s\t%" PRIu64,
             m->session->plugin->id, m->session->device.name, ceiling ? "" : kind_name(c->job.kind),
             ceiling ? "" : op_name(c->job.op), dtype_name(c->job.dtype), c->job.n, block, vt,
             c->params, c->job.seed);
}
