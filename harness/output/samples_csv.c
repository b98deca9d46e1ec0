#include "output/samples_csv.h"

#include "output/column_table.h"
#include "output/configuration_columns.h"
#include "output/result_csv.h"

#include <stdlib.h>

scan_status samples_csv_open(const output_options *o, csv_writer **samples_p, errmsg *error)
{
    const csv_target target = {.path = o->samples, .mode = o->resume ? CSV_APPEND : CSV_CREATE};
    return csv_prepare(&target, sample_columns, sample_column_count, samples_p, error);
}

static scan_status put_sample(csv_writer *out, const char *run_id, const measurement *m,
                              const measurement_phase *p, size_t index)
{
    const plugin_info *plugin = m->session->plugin;
    char phase[PHASE_TEXT_BYTES];
    csv_u64(out, RESULT_CSV_SCHEMA);
    csv_text(out, run_id);
    csv_text(out, plugin->id);
    csv_text(out, plugin->backend);
    csv_text(out, m->session->device.name);
    configuration_columns_put(out, m);
    csv_text(out, phase_print(&p->name, phase));
    csv_u64(out, p->batch);
    csv_u64(out, index);
    csv_double(out, p->samples[index]);
    csv_u64(out, p->rounds[index]);
    configuration_columns_put_kinds(out, m);
    return csv_end_row(out);
}

/* How many samples of each phase of a member are written. */
typedef struct written {
    size_t samples[MEASUREMENT_PHASES];
    uint32_t rounds;
} written;

/* The samples of a member's next visit, and any before it. */
static scan_status put_visit(csv_writer *out, const char *run_id, const measurement *m, written *w)
{
    const uint32_t round = w->rounds++;
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < m->phase_count; i++) {
        const measurement_phase *p = &m->phases[i];
        while (status == SCAN_OK && w->samples[i] < p->count && p->rounds[w->samples[i]] <= round)
            status = put_sample(out, run_id, m, p, w->samples[i]++);
    }
    return status;
}

scan_status samples_csv_write(csv_writer *samples, const char *run_id, const group *g)
{
    written *done = calloc(g->count + 1, sizeof *done);
    scan_status status = done ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; status == SCAN_OK && i < g->visit_count; i++) {
        const group_entry *m = &g->members[g->visits[i]];
        if (m->role == MEMBER_OWN && m->measurement.result.status == ROW_OK)
            status = put_visit(samples, run_id, &m->measurement, &done[g->visits[i]]);
    }
    free(done);
    return status;
}
