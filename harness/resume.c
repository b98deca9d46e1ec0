#include "resume.h"

#include "csv_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct resume {
    csv_table table;
    int phase, median, status;
    int key[10]; /* columns, in sheet_key's order */
};

static const char *const key_columns[] = {"plugin", "device", "kind", "op",     "dtype",
                                          "n",      "block",  "vt",   "params", "seed"};

scan_status resume_read(const char *path, resume **resume_p, char *message, size_t size)
{
    resume *r = calloc(1, sizeof *r);
    if (!r) {
        snprintf(message, size, "out of memory");
        return SCAN_NO_MEMORY;
    }
    if (access(path, F_OK) == 0) {
        scan_status status = csv_read(path, CSV_TAIL_DROP, &r->table, message, size);
        if (status != SCAN_OK) {
            free(r);
            return status;
        }
    }
    for (size_t i = 0; i < sizeof key_columns / sizeof *key_columns; i++)
        r->key[i] = r->table.rows ? csv_column(&r->table, key_columns[i]) : -1;
    r->phase = r->table.rows ? csv_column(&r->table, "phase") : -1;
    r->median = r->table.rows ? csv_column(&r->table, "median_ns") : -1;
    r->status = r->table.rows ? csv_column(&r->table, "status") : -1;
    *resume_p = r;
    return SCAN_OK;
}

void resume_free(resume *r)
{
    if (!r)
        return;
    csv_free_table(&r->table);
    free(r);
}

static bool same_case(const resume *r, size_t row, const char *wanted)
{
    char text[640];
    size_t used = 0;
    for (size_t i = 0; i < 10 && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "\t" : "",
                                 csv_cell(&r->table, row, r->key[i]));
    return strcmp(text, wanted) == 0;
}

bool resume_has(const resume *r, const sheet_case *c, sheet *s)
{
    char wanted[640];
    bool whole = false;
    sheet_key(c, wanted, sizeof wanted);
    for (size_t row = 0; row < r->table.rows && !whole; row++)
        whole = strcmp(csv_cell(&r->table, row, r->phase), "run") == 0 && same_case(r, row, wanted);
    for (size_t row = 0; row < r->table.rows && whole; row++)
        if (strcmp(csv_cell(&r->table, row, r->status), "ok") == 0 && same_case(r, row, wanted))
            sheet_note(s, c, csv_cell(&r->table, row, r->phase),
                       strtod(csv_cell(&r->table, row, r->median), NULL));
    return whole;
}
