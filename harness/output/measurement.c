/*
 * measurement.c - one case on its way to its rows: its phases and its key
 */
#include "output/result_csv.h"

#include "problem/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool result_csv_is_ceiling(const measurement *c)
{
    return c->session->plugin->role == SCAN_ROLE_CEILING;
}

void measurement_add(measurement *c, const phase_name *name, unsigned batch, const char *stop,
                     const char *samples)
{
    size_t capacity = 1;
    for (const char *at = samples; *at; at++)
        capacity += *at == ',';
    double *values = calloc(capacity, sizeof *values);
    if (!values || c->phase_count == RESULT_CSV_PHASES) {
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
        c->phases[c->phase_count++] = p;
}

void measurement_free(measurement *c)
{
    for (size_t i = 0; i < c->phase_count; i++)
        free(c->phases[i].samples);
    c->phase_count = 0;
}

void result_csv_key(const measurement *c, char *text, size_t size)
{
    const configuration *planned = c->planned;
    char block[24] = "", vt[24] = "";
    if (planned->has_block)
        snprintf(block, sizeof block, "%" PRId64, planned->block);
    if (planned->has_vt)
        snprintf(vt, sizeof vt, "%" PRId64, planned->vt);
    snprintf(
        text, size, "%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%s\t%s\t%s\t%" PRIu64, c->session->plugin->id,
        c->session->device.name, result_csv_is_ceiling(c) ? "" : kind_name(planned->job.kind),
        result_csv_is_ceiling(c) ? "" : op_name(planned->job.op), dtype_name(planned->job.dtype),
        planned->job.n, block, vt, planned->params, planned->job.seed);
}
