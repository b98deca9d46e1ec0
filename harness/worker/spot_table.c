#include "worker/spot_table.h"

#include "worker/trial.h"

#include <stdlib.h>

void spot_block_read(const input_spec *spec, uint64_t number, size_t count, spot_block *b_p)
{
    b_p->first = number * SPOT_STRIDE;
    b_p->count = spec->n - b_p->first < count ? (size_t)(spec->n - b_p->first) : count;
    b_p->width = dtype_bytes(spec->dtype);
    input_fill(spec, b_p->first, b_p->count, b_p->bytes);
}

void *spot_block_at(spot_block *b, size_t i)
{
    return b->bytes + i * b->width;
}

static bool is_copy(const trial *e)
{
    return e->plugin->role == SCAN_ROLE_CEILING;
}

reference spot_reference(const trial *e)
{
    reference r;
    reference_begin(&r, &e->written, (scan_kind)e->job->kind, is_copy(e));
    return r;
}

static bool table_suits(const spot_table *t, const trial *e)
{
    const input_spec *a = &t->spec, *b = &e->written;
    return t->points && t->copy == is_copy(e) && a->dtype == b->dtype && a->op == b->op &&
           a->pattern == b->pattern && a->seed == b->seed && a->n == b->n &&
           a->position == b->position;
}

/* Room for the points of the input in the buffers. */
static bool make_room(trial *e)
{
    spot_table *t = e->spots;
    spot_table_free(t);
    t->spec = e->written;
    t->copy = is_copy(e);
    t->count = (e->written.n + SPOT_STRIDE - 1) / SPOT_STRIDE;
    t->points = malloc((t->count + 1) * sizeof *t->points);
    return t->points != NULL;
}

reference_point *spot_table_to_fill(trial *e)
{
    if (table_suits(e->spots, e) || !make_room(e))
        return NULL;
    return e->spots->points;
}

void spot_table_filled(trial *e, bool whole)
{
    if (!whole)
        spot_table_free(e->spots);
}

bool spot_table_need(trial *e)
{
    spot_table *t = e->spots;
    reference r = spot_reference(e);
    spot_block b;
    if (table_suits(t, e))
        return true;
    if (!make_room(e))
        return !trial_failed(e, SCAN_NO_MEMORY, STEP_STORE);
    trial_step(e, STEP_WRITE_INPUT);
    for (uint64_t i = 0; i < t->count; i++) {
        t->points[i] = reference_here(&r);
        spot_block_read(&e->written, i, SPOT_STRIDE, &b);
        reference_pass(&r, b.bytes, b.count);
    }
    return true;
}

void spot_table_free(spot_table *table)
{
    free(table->points);
    *table = (spot_table){.points = NULL};
}
