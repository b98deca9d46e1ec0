#include "output/resume_cells.h"

#include "output/column_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Is it a finite number, in the characters that a run writes? */
static bool is_number(const char *cell)
{
    char *end;
    if (strspn(cell, "+-.0123456789eE") != strlen(cell))
        return false;
    return isfinite(strtod(cell, &end)) && !*end;
}

static scan_status refuse(const resume *r, size_t row, const char *column, const char *cell,
                          const char *why, errmsg *error)
{
    return errmsg_set(
        error, SCAN_INVALID,
        "%s, line %zu: the cell %s is '%.40s', %s; take the lines of that configuration "
        "out, and --resume measures it again",
        r->path, csv_line(&r->table, row), column, cell, why);
}

static scan_status check_row(const resume *r, size_t row, const int *places, errmsg *error)
{
    for (size_t i = 0; i < column_count; i++) {
        const column_entry *c = &column_table[i];
        const char *cell = places[i] < 0 ? "" : resume_cell(r, row, places[i]);
        if (column_is_number(c->type) && *cell && !is_number(cell))
            return refuse(r, row, c->name, cell, "which is no number", error);
        if (strcmp(c->name, "schema") == 0 && atol(cell) != RESULT_CSV_SCHEMA)
            return refuse(r, row, c->name, cell, "not the one that this scanbench writes", error);
    }
    if (r->rows[row].status == ROW_OK && !(r->rows[row].median_ns > 0))
        return refuse(r, row, "median_ns", resume_cell(r, row, r->at.median), "but the row is ok",
                      error);
    return SCAN_OK;
}

scan_status resume_check_cells(const resume *r, errmsg *error)
{
    int *places = calloc(column_count, sizeof *places);
    scan_status status = SCAN_OK;
    if (!places)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < column_count; i++)
        places[i] = csv_column(&r->table, column_table[i].name);
    for (size_t row = 0; row < r->table.rows && status == SCAN_OK; row++)
        if (!r->rows[row].replaced)
            status = check_row(r, row, places, error);
    free(places);
    return status;
}
