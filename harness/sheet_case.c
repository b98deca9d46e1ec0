/*
 * sheet_case.c - one case on its way to its rows: its phases and its key
 */
#include "sheet.h"

#include "names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sheet_is_ceiling(const sheet_case *c)
{
    return c->lane->plugin->role == SCAN_ROLE_CEILING;
}

void sheet_case_add(sheet_case *c, const char *name, unsigned batch, const char *stop,
                    const char *samples)
{
    size_t capacity = 1;
    for (const char *at = samples; *at; at++)
        capacity += *at == ',';
    double *values = calloc(capacity, sizeof *values);
    if (!values || c->phase_count == SHEET_PHASES || !*name) {
        free(values);
        return;
    }
    sheet_phase p = {.batch = batch, .samples = values};
    snprintf(p.name, sizeof p.name, "%s", name);
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

void sheet_case_free(sheet_case *c)
{
    for (size_t i = 0; i < c->phase_count; i++)
        free(c->phases[i].samples);
    c->phase_count = 0;
}

void sheet_key(const sheet_case *c, char *text, size_t size)
{
    const plan_case *planned = c->planned;
    char block[24] = "", vt[24] = "";
    if (planned->has_block)
        snprintf(block, sizeof block, "%" PRId64, planned->block);
    if (planned->has_vt)
        snprintf(vt, sizeof vt, "%" PRId64, planned->vt);
    snprintf(text, size, "%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%s\t%s\t%s\t%" PRIu64,
             c->lane->plugin->id, c->lane->device.name,
             sheet_is_ceiling(c) ? "" : kind_name(planned->job.kind),
             sheet_is_ceiling(c) ? "" : op_name(planned->job.op), dtype_name(planned->job.dtype),
             planned->job.n, block, vt, planned->params, planned->job.seed);
}
