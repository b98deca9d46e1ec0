#include "worker/spot_table.h"

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

bool spot_table_holds(const spot_table *table, const input_spec *spec, bool copy)
{
    return table->points && table->copy == copy && input_same(&table->spec, spec);
}

reference_point *spot_table_make_room(spot_table *table, const input_spec *spec, bool copy)
{
    spot_table_free(table);
    table->spec = *spec;
    table->copy = copy;
    table->count = (spec->n + SPOT_STRIDE - 1) / SPOT_STRIDE;
    table->points = malloc((table->count + 1) * sizeof *table->points);
    return table->points;
}

scan_status spot_table_fill(spot_table *table, const input_spec *spec, bool copy, reference *r)
{
    spot_block b;
    if (!spot_table_make_room(table, spec, copy))
        return SCAN_NO_MEMORY;
    for (uint64_t i = 0; i < table->count; i++) {
        table->points[i] = reference_here(r);
        spot_block_read(&table->spec, i, SPOT_STRIDE, &b);
        reference_pass(r, b.bytes, b.count);
    }
    return SCAN_OK;
}

void spot_table_free(spot_table *table)
{
    free(table->points);
    *table = (spot_table){.points = NULL};
}
