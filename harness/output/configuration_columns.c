#include "output/configuration_columns.h"

#include "problem/names.h"

void configuration_columns_put(csv_writer *out, const measurement *m)
{
    const configuration *c = m->configuration;
    const bool ceiling = measurement_is_ceiling(m);
    csv_text(out, ceiling ? "" : kind_name(c->job.kind));
    csv_text(out, ceiling ? "" : op_name(c->job.op));
    csv_text(out, dtype_name(c->job.dtype));
    csv_u64(out, c->job.n);
    csv_i64_or_empty(out, c->has_block, c->block);
    csv_i64_or_empty(out, c->has_vt, c->vt);
    csv_text(out, c->params);
    csv_text(out, cache_state_word(c->job.cache));
}

void configuration_columns_put_kinds(csv_writer *out, const measurement *m)
{
    csv_text(out, measurement_is_ceiling(m) ? "" : job_kinds_word(&m->configuration->job));
}

void configuration_columns_put_parts(csv_writer *out, const measurement *m)
{
    const unsigned parts = m->configuration->parts;
    csv_i64_or_empty(out, parts > 0, parts);
    csv_text(out, parts > 1 ? layout_name(m->session->plugin->layout) : "");
}

void configuration_columns_put_in_place(csv_writer *out, const measurement *m)
{
    csv_i64_or_empty(out, !m->session->plugin->problem, measurement_is_in_place(m));
}
