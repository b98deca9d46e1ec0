#include "output/resume_cells.h"

#include "output/columns.h"
#include "output/number_cell.h"

#include <stdlib.h>
#include <string.h>

#define TAKE_OUT "take the lines of that configuration out, and --resume measures it again"
#define SAVED \
    "did a spreadsheet or pandas save the file? --resume goes on with what scanbench wrote"

static scan_status refuse(const resume *r, size_t row, const char *column, const char *cell,
                          const char *why, errmsg *error)
{
    return errmsg_set(error, SCAN_INVALID, "%s, line %zu: the cell %s is '%.40s', %s", r->path,
                      csv_line(&r->table, row), column, cell, why);
}

/* 2026-01-31T23:59:59Z */
static bool is_time(const char *cell)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? cell[i] < '0' || cell[i] > '9' : cell[i] != form[i])
            return false;
    return true;
}

/* Is it a number in some other form, as 64.0, 1.00E+03 or 1,000? */
static bool is_written_otherwise(const char *cell)
{
    return strpbrk(cell, "0123456789") && !cell[strspn(cell, "+-.,'0123456789eE ")];
}

static bool is_time_of_run(const char *item)
{
    return number_cell_is_real(item) && *item != '-';
}

/* What is wrong with a cell that is not empty, or NULL. */
static const char *wrong_form(column_type type, const char *cell)
{
    switch (type) {
    case COLUMN_TEXT:
        return NULL;
    case COLUMN_TIME:
        return is_time(cell) ? NULL : "not a time as scanbench writes it; " SAVED;
    case COLUMN_COUNT:
    case COLUMN_WHOLE:
        if (number_cell_is_whole(cell) && (type == COLUMN_WHOLE || *cell != '-'))
            return NULL;
        return is_written_otherwise(cell) ? "not a whole number as scanbench writes it; " SAVED
                                          : "which is no number; " TAKE_OUT;
    case COLUMN_REAL:
        if (!number_cell_is_real(cell))
            return is_written_otherwise(cell) ? "not a number as scanbench writes it; " SAVED
                                              : "which is no number; " TAKE_OUT;
        return *cell == '-' ? "less than 0; " TAKE_OUT : NULL;
    case COLUMN_TIMES:
        return number_cell_is_list(cell, is_time_of_run)
                   ? NULL
                   : "not a list of numbers as scanbench writes it; " SAVED;
    case COLUMN_FLAG:
        return strcmp(cell, "0") == 0 || strcmp(cell, "1") == 0 ? NULL : "neither 0 nor 1; " SAVED;
    }
    return NULL;
}

/* Is the cell one of the words of its column? Columns without words take any. */
static bool is_word(const char *column, const char *cell)
{
    phase_name phase;
    if (strcmp(column, "status") == 0)
        return strcmp(row_status_word(row_status_find(cell)), cell) == 0;
    return strcmp(column, "phase") != 0 || phase_parse(cell, &phase);
}

static scan_status check_row(const resume *r, size_t row, const int *places, errmsg *error)
{
    for (size_t i = 0; i < column_count; i++) {
        const column_entry *c = &column_table[i];
        const char *cell = places[i] < 0 ? "" : resume_cell(r, row, places[i]);
        const char *wrong = *cell ? wrong_form(c->type, cell) : NULL;
        if (!*cell && !c->empty)
            wrong = "which is never empty; " TAKE_OUT;
        else if (!wrong && !is_word(c->name, cell))
            wrong = "a word that it does not have; " TAKE_OUT;
        else if (!wrong && strcmp(c->name, "schema") == 0 && atol(cell) != ROW_SCHEMA)
            wrong = "not the one that this scanbench writes";
        if (wrong)
            return refuse(r, row, c->name, cell, wrong, error);
    }
    if (r->rows[row].status == ROW_OK && !(r->rows[row].median_ns > 0))
        return refuse(r, row, "median_ns", resume_cell(r, row, r->at.median),
                      "but the row is ok; " TAKE_OUT, error);
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
