/*
 * resume_apply.c - takes out of the files what is measured again. A file is read twice: first to
 * see what goes, then, unless that is just its end, to copy what stays
 */
#include "output/resume_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- are these the samples of the rows? ---- */

/* Lines of a run that the CSV does not know would go without a word: they are those of another. */
static scan_status check_run(const csv_reader *at, const resume *r, const char *before,
                             errmsg *error)
{
    const char *run_id = at->line.cells[SAMPLE_AT_run_id];
    if (resume_knows_run(r, before, run_id))
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID,
                      "--resume: %s, line %zu: the run %.60s is not in %s; are these the samples "
                      "of another file? Name those of this one, or a new file",
                      at->path, at->number, run_id, r->path);
}

scan_status resume_samples_check(const char *path, const resume *r, const char *before,
                                 errmsg *error)
{
    struct stat about;
    csv_reader in;
    char known[KEY_TEXT_BYTES] = ""; /* of the line before, mostly of this one too */
    bool there = true;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return SCAN_OK;
    scan_status status = csv_reader_open(path, &sample_columns, &in, error);
    while (status == SCAN_OK && (status = csv_reader_next(&in, &there, error)) == SCAN_OK &&
           there) {
        status = csv_check_cells(path, in.number, &sample_columns, &in.line, error);
        if (status == SCAN_OK && strcmp(in.line.cells[SAMPLE_AT_run_id], known) != 0) {
            snprintf(known, sizeof known, "%s", in.line.cells[SAMPLE_AT_run_id]);
            status = check_run(&in, r, before, error);
        }
    }
    csv_reader_close(&in);
    return status;
}

/* ---- taking lines out of a file ---- */

/* Which lines stay in a file. */
typedef struct line_filter {
    csv_file *file;
    bool (*stays)(const void *context, const csv_reader *at);
    const void *context;
} line_filter;

/* Bytes of lines that stay, as the header does; and of those before the first one that goes. */
typedef struct line_survey {
    size_t all, first;
} line_survey;

/* Goes through the lines and writes those that stay to `out`, unless NULL. */
static scan_status go_through(const line_filter *f, FILE *out, line_survey *s, errmsg *error)
{
    csv_reader in;
    bool there = true, any_goes = false;
    scan_status status = csv_reader_open(f->file->lines.path, f->file->columns, &in, error);
    *s = (line_survey){in.header.bytes, in.header.bytes};
    if (out && in.header.text)
        fwrite(in.header.text, 1, in.header.bytes, out);
    while (status == SCAN_OK && (status = csv_reader_next(&in, &there, error)) == SCAN_OK &&
           there) {
        const bool stays = f->stays(f->context, &in);
        any_goes |= !stays;
        s->all += stays ? in.line.bytes : 0;
        s->first += any_goes ? 0 : in.line.bytes;
        if (stays && out)
            fwrite(in.line.text, 1, in.line.bytes, out);
    }
    csv_reader_close(&in);
    return status;
}

static scan_status copy_lines(const line_filter *f, errmsg *error)
{
    line_survey seen;
    whole_file new;
    scan_status status = whole_file_begin(f->file->lines.path, NULL, &new, error);
    if (status != SCAN_OK)
        return status;
    status = go_through(f, new.out, &seen, error);
    if (status == SCAN_OK)
        return line_file_replace(&f->file->lines, &new, error);
    whole_file_drop(&new);
    return status;
}

/* Takes out the lines that go, and a last one that was cut short. SCAN_OK and *bytes_p, of what
 * stays. */
static scan_status filter_lines(const line_filter *f, size_t *bytes_p, errmsg *error)
{
    line_survey seen;
    scan_status status = go_through(f, NULL, &seen, error);
    if (status == SCAN_OK && seen.all > seen.first)
        status = copy_lines(f, error);
    else if (status == SCAN_OK && ftruncate(f->file->lines.fd, (off_t)seen.first) != 0)
        status =
            errmsg_set(error, SCAN_ERROR, "cutting %s: %s", f->file->lines.path, strerror(errno));
    *bytes_p = seen.all;
    return status;
}

/* ---- those that are measured again ---- */

static bool row_stays(const void *context, const csv_reader *at)
{
    const resume *r = context;
    return !r->rows[at->number - 2].replaced;
}

/* What a sample knows of its configuration. */
enum { KEY_OF_SAMPLES = KEY_ALL & ~(1 << KEY_SEED) };

static bool sample_stays(const void *context, const csv_reader *at)
{
    static const int columns[] = {
        SAMPLE_AT_plugin, SAMPLE_AT_device, SAMPLE_AT_kind,  SAMPLE_AT_op,     SAMPLE_AT_dtype,
        SAMPLE_AT_n,      SAMPLE_AT_block,  SAMPLE_AT_vt,    SAMPLE_AT_params, SAMPLE_AT_cache,
        SAMPLE_AT_kinds,  SAMPLE_AT_rows,   SAMPLE_AT_inner, SAMPLE_AT_result};
    char text[KEY_TEXT_BYTES];
    config_key key = {{NULL}};
    for (size_t i = 0; i < KEY_SEED; i++)
        key.of[i] = at->line.cells[columns[i]];
    return hash_map_find(
        context, resume_key_text(at->line.cells[SAMPLE_AT_run_id], &key, KEY_OF_SAMPLES, text));
}

/* The configurations that stay, as the samples know them; NULL without memory. */
static hash_map *keys_of_samples(const resume *r)
{
    hash_map *keys = hash_map_new();
    bool good = keys != NULL;
    for (const old_row *row = r->rows; good && row < r->rows + r->count; row++) {
        char text[KEY_TEXT_BYTES];
        const config_key key = resume_row_key(row);
        const char *run_id = ROW_CELL(row, run_id);
        good = row->replaced ||
               hash_map_add(keys, resume_key_text(run_id, &key, KEY_OF_SAMPLES, text), 0);
    }
    if (good)
        return keys;
    hash_map_free(keys);
    return NULL;
}

scan_status resume_apply(const resume *r, result_csv *csv, size_t *keep_p, errmsg *error)
{
    size_t kept;
    scan_status status = filter_lines(&(line_filter){&csv->rows, row_stays, r}, keep_p, error);
    if (status != SCAN_OK || !csv->samples.lines.regular)
        return status;
    hash_map *keys = keys_of_samples(r);
    if (!keys)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    status = filter_lines(&(line_filter){&csv->samples, sample_stays, keys}, &kept, error);
    hash_map_free(keys);
    return status;
}

scan_status resume_put_rows(const resume *r, line_file *rows, errmsg *error)
{
    scan_status status = SCAN_OK;
    for (const old_row *row = r->rows; status == SCAN_OK && row < r->rows + r->count; row++)
        if (!row->replaced)
            status = result_json_write(rows, row->line.cells, error);
    return status;
}
