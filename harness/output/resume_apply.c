#include "output/resume_rows.h"
#include "output/resume_samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many rows at the start stay, before the first one that does not. */
static size_t staying_rows(const resume *r)
{
    size_t row = 0;
    while (row < r->table.rows && !r->rows[row].replaced)
        row++;
    return row;
}

/* Writes the header and the rows that stay into the stream. */
static void copy_rows(resume *r, const char *text, FILE *out)
{
    size_t from = 0;
    for (size_t row = 0; row <= r->table.rows; row++) {
        const size_t to = csv_bytes(&r->table, row);
        if (row == 0 || !r->rows[row - 1].replaced) {
            fwrite(text + from, 1, to - from, out);
            r->keep += to - from;
        }
        from = to;
    }
}

static scan_status rewrite_rows(resume *r, int *lock, errmsg *error)
{
    const size_t bytes = csv_bytes(&r->table, r->table.rows);
    char *text = malloc(bytes + 1);
    FILE *in = fopen(r->path, "rbe");
    whole_file new;
    scan_status status = SCAN_OK;
    if (!text || !in || fread(text, 1, bytes, in) != bytes)
        status = errmsg_set(error, SCAN_ERROR, "reading %s again failed", r->path);
    if (in)
        fclose(in);
    if (status == SCAN_OK)
        status = whole_file_begin(r->path, NULL, &new, error);
    if (status == SCAN_OK) {
        r->keep = 0;
        copy_rows(r, text, new.out);
        status = output_files_replace(&new, lock, error);
    }
    free(text);
    return status;
}

/* Notes the configurations that stay as the samples know them. */
static scan_status add_samples_keys(const resume *r, hash_map *keys)
{
    char key[SAMPLES_KEY_BYTES];
    for (size_t row = 0; row < r->table.rows; row++) {
        if (r->rows[row].replaced)
            continue;
        size_t used = (size_t)snprintf(key, sizeof key, "%s", resume_cell(r, row, r->at.run_id));
        for (size_t i = 0; i + 1 < MEASUREMENT_KEY_COLUMNS && used < sizeof key; i++)
            used +=
                (size_t)snprintf(key + used, sizeof key - used, "\t%s", resume_key_cell(r, row, i));
        if (!hash_map_add(keys, key, 0))
            return SCAN_NO_MEMORY;
    }
    return SCAN_OK;
}

scan_status resume_apply(resume *r, const output_options *o, output_files *files, errmsg *error)
{
    const size_t first = staying_rows(r);
    bool scattered = false;
    for (size_t row = first; row < r->table.rows; row++)
        scattered |= !r->rows[row].replaced;
    r->keep = csv_bytes(&r->table, first);
    scan_status status = scattered ? rewrite_rows(r, &files->csv, error) : SCAN_OK;
    if (status != SCAN_OK || files->samples < 0)
        return status;
    if (!scattered && files->csv >= 0 && ftruncate(files->csv, (off_t)r->keep) != 0)
        return errmsg_set(error, SCAN_ERROR, "cutting %s: %s", r->path, strerror(errno));
    hash_map *keys = hash_map_new();
    if (!keys || add_samples_keys(r, keys) != SCAN_OK)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        status = resume_samples_keep(o->samples, keys, &files->samples, error);
    hash_map_free(keys);
    return status;
}

scan_status resume_put_rows(const resume *r, json_rows *rows, errmsg *error)
{
    const char **cells = calloc(r->table.columns + 1, sizeof *cells);
    scan_status status = SCAN_OK;
    if (!cells)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    for (size_t row = 0; status == SCAN_OK && row < r->table.rows; row++) {
        if (r->rows[row].replaced)
            continue;
        for (size_t i = 0; i < r->table.columns; i++)
            cells[i] = resume_cell(r, row, (int)i);
        status = json_rows_add(rows, cells, error);
    }
    free(cells);
    return status;
}
