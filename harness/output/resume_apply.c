/*
 * resume_apply.c - takes out of the files what is measured again. The file of --samples is read
 * twice: first to see what goes, then, unless that is just its end, to copy what stays
 */
#include "output/output_files.h"
#include "output/resume_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A run_id and the key of a configuration without its seed, separated by tabs. */
enum { SAMPLES_KEY_BYTES = MEASUREMENT_KEY_BYTES + 96 };

/* Where the columns of the key without its seed are among those of a sample. */
static const int key_columns[MEASUREMENT_KEY_COLUMNS - 1] = {
    SAMPLE_AT_plugin, SAMPLE_AT_device, SAMPLE_AT_kind,  SAMPLE_AT_op,
    SAMPLE_AT_dtype,  SAMPLE_AT_n,      SAMPLE_AT_block, SAMPLE_AT_vt,
    SAMPLE_AT_params, SAMPLE_AT_cache,  SAMPLE_AT_kinds};

static bool stays(const csv_line *line, const hash_map *keys)
{
    char key[SAMPLES_KEY_BYTES];
    size_t used = (size_t)snprintf(key, sizeof key, "%s", line->cells[SAMPLE_AT_run_id]);
    for (size_t i = 0; i + 1 < MEASUREMENT_KEY_COLUMNS && used < sizeof key; i++)
        used +=
            (size_t)snprintf(key + used, sizeof key - used, "\t%s", line->cells[key_columns[i]]);
    return hash_map_find(keys, key) != NULL;
}

/* Lines of a run that the CSV does not know would go without a word: they are those of another. */
static scan_status check_run(const char *path, size_t number, const char *run_id, const resume *r,
                             const char *before, errmsg *error)
{
    if (resume_knows_run(r, before, run_id))
        return SCAN_OK;
    return errmsg_set(error, SCAN_INVALID,
                      "--resume: %s, line %zu: the run %.60s is not in %s; are these the samples "
                      "of another file? Name those of this one, or a new file",
                      path, number, run_id, resume_path(r));
}

static scan_status check_lines(const char *path, FILE *in, const resume *r, const char *before,
                               errmsg *error)
{
    csv_line line = {.text = NULL};
    char known[SAMPLES_KEY_BYTES] = ""; /* of the line before, mostly of this one too */
    scan_status status = SCAN_OK;
    csv_next(in, &line); /* the header */
    for (size_t number = 2; status == SCAN_OK && csv_next(in, &line); number++) {
        status = csv_split(path, number, &sample_columns, &line, error);
        if (status == SCAN_OK)
            status = csv_check_cells(path, number, &sample_columns, &line, error);
        if (status == SCAN_OK && strcmp(line.cells[SAMPLE_AT_run_id], known) != 0) {
            snprintf(known, sizeof known, "%s", line.cells[SAMPLE_AT_run_id]);
            status = check_run(path, number, known, r, before, error);
        }
    }
    csv_line_free(&line);
    return status;
}

scan_status resume_samples_check(const char *path, const resume *r, const char *before,
                                 errmsg *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return SCAN_OK;
    scan_status status = csv_check_header(path, &sample_columns, error);
    if (status != SCAN_OK)
        return status;
    FILE *in = fopen(path, "rbe");
    if (!in)
        return errmsg_set(error, SCAN_ERROR, "opening %s: %s", path, strerror(errno));
    status = check_lines(path, in, r, before, error);
    fclose(in);
    return status;
}

/* What was seen of a file. */
typedef struct sample_survey {
    off_t whole;    /* bytes of lines that stay, up to the first one that goes */
    bool any_goes;  /* a line goes */
    bool any_after; /* and another one behind it stays */
} sample_survey;

/* Goes through the lines and writes those that stay, as the header does, to `out`, unless NULL. */
static scan_status go_through(const char *path, FILE *in, const hash_map *keys, FILE *out,
                              sample_survey *s, errmsg *error)
{
    csv_line line = {.text = NULL};
    scan_status status = SCAN_OK;
    *s = (sample_survey){0};
    for (size_t number = 1; status == SCAN_OK && csv_next(in, &line); number++) {
        status = csv_split(path, number, &sample_columns, &line, error);
        if (status != SCAN_OK)
            break;
        const bool good = number == 1 || stays(&line, keys);
        s->any_after |= good && s->any_goes;
        s->any_goes |= !good;
        s->whole += s->any_goes ? 0 : (off_t)line.bytes;
        if (good && out)
            fwrite(line.text, 1, line.bytes, out);
    }
    s->any_goes |= status == SCAN_OK && line.bytes > 0; /* the last line was cut short */
    csv_line_free(&line);
    return status;
}

static scan_status copy_lines(const char *path, FILE *in, const hash_map *keys, int *lock,
                              errmsg *error)
{
    sample_survey seen;
    whole_file new;
    scan_status status = whole_file_begin(path, NULL, &new, error);
    if (status != SCAN_OK)
        return status;
    rewind(in);
    status = go_through(path, in, keys, new.out, &seen, error);
    if (status == SCAN_OK)
        return output_files_replace(&new, lock, error);
    whole_file_drop(&new);
    return status;
}

/* Keeps the lines of these keys, and the header; a last line that was cut short goes too. Moves the
 * lock if the file is replaced by another. */
static scan_status keep_samples(const char *path, const hash_map *keys, int *lock, errmsg *error)
{
    sample_survey seen;
    FILE *in = fopen(path, "rbe");
    if (!in)
        return errmsg_set(error, SCAN_ERROR, "opening %s: %s", path, strerror(errno));
    scan_status status = go_through(path, in, keys, NULL, &seen, error);
    if (status == SCAN_OK && seen.any_after)
        status = copy_lines(path, in, keys, lock, error);
    else if (status == SCAN_OK && seen.any_goes && truncate(path, seen.whole) != 0)
        status = errmsg_set(error, SCAN_ERROR, "cutting %s: %s", path, strerror(errno));
    fclose(in);
    return status;
}

/* Replaces the file by one of the header and the rows that stay. */
static scan_status rewrite_rows(const resume *r, int *lock, errmsg *error)
{
    whole_file new;
    const scan_status status = whole_file_begin(r->path, NULL, &new, error);
    if (status != SCAN_OK)
        return status;
    fwrite(r->header.text, 1, r->header.bytes, new.out);
    for (const old_row *row = r->rows; row < r->rows + r->count; row++)
        if (!row->replaced)
            fwrite(row->line.text, 1, row->line.bytes, new.out);
    return output_files_replace(&new, lock, error);
}

/* Notes the configurations that stay as the samples know them. */
static scan_status add_samples_keys(const resume *r, hash_map *keys)
{
    char key[SAMPLES_KEY_BYTES];
    for (const old_row *row = r->rows; row < r->rows + r->count; row++) {
        if (row->replaced)
            continue;
        size_t used = (size_t)snprintf(key, sizeof key, "%s", ROW_CELL(row, run_id));
        for (size_t i = 0; i + 1 < MEASUREMENT_KEY_COLUMNS && used < sizeof key; i++)
            used +=
                (size_t)snprintf(key + used, sizeof key - used, "\t%s", resume_key_cell(row, i));
        if (!hash_map_add(keys, key, 0))
            return SCAN_NO_MEMORY;
    }
    return SCAN_OK;
}

scan_status resume_apply(resume *r, const output_options *o, output_files *files, errmsg *error)
{
    bool goes = false, scattered = false; /* a row goes, and one behind it stays */
    r->keep = r->header.bytes;
    for (const old_row *row = r->rows; row < r->rows + r->count; row++) {
        goes |= row->replaced;
        scattered |= goes && !row->replaced;
        r->keep += row->replaced ? 0 : row->line.bytes;
    }
    scan_status status = scattered ? rewrite_rows(r, &files->csv, error) : SCAN_OK;
    if (status != SCAN_OK || files->samples < 0)
        return status;
    if (!scattered && files->csv >= 0 && ftruncate(files->csv, (off_t)r->keep) != 0)
        return errmsg_set(error, SCAN_ERROR, "cutting %s: %s", r->path, strerror(errno));
    hash_map *keys = hash_map_new();
    if (!keys || add_samples_keys(r, keys) != SCAN_OK)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        status = keep_samples(o->samples, keys, &files->samples, error);
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
