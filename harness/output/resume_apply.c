/*
 * resume_apply.c - takes out of the files what is measured again. The file of --samples is read
 * twice: first to see what goes, then, unless that is just its end, to copy what stays
 */
#include "output/columns.h"
#include "output/csv_writer.h"
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

/* The columns that are read: schema, run_id, plugin, backend, device, ... n, block, vt, params,
 * cache before the phase, and the last one. */
enum {
    RUN_ID = 1,
    PLUGIN = 2,
    BACKEND = 3,
    N = 8,
    BLOCK = 9,
    VT = 10,
    CACHE = 12,
    KINDS = 18,
    FIELDS
};

/* A line with its fields, which are cut out of a copy. */
typedef struct sample_line {
    char *text, *copy;
    size_t capacity, copy_capacity;
    ssize_t bytes;
    char *fields[FIELDS];
} sample_line;

/* Cuts a field off, undoing its quotes. Returns what follows, NULL behind the last one. */
static char *cut_field(char *at, char **field_p)
{
    char *to = at;
    const bool quoted = *at == '"';
    *field_p = at;
    for (at += quoted; *at && (quoted || (*at != ',' && *at != '\n')); at++) {
        if (quoted && *at == '"' && *++at != '"')
            break;
        *to++ = *at;
    }
    char *next = *at == ',' ? at + 1 : NULL;
    *to = '\0';
    return next;
}

/* Reads a line; false at the end, and for one that was cut short. */
static bool next_line(FILE *in, sample_line *line)
{
    line->bytes = getline(&line->text, &line->capacity, in);
    return line->bytes > 0 && line->text[line->bytes - 1] == '\n';
}

/* false if out of memory. */
static bool split(sample_line *line)
{
    if (line->copy_capacity < line->capacity) {
        char *copy = realloc(line->copy, line->capacity);
        if (!copy)
            return false;
        line->copy = copy;
        line->copy_capacity = line->capacity;
    }
    memcpy(line->copy, line->text, (size_t)line->bytes + 1);
    char *at = line->copy;
    static char nothing[] = "";
    for (size_t i = 0; i < FIELDS; i++) {
        line->fields[i] = nothing;
        if (at)
            at = cut_field(at, &line->fields[i]);
    }
    return true;
}

static bool stays(const sample_line *line, const hash_map *keys)
{
    char key[SAMPLES_KEY_BYTES];
    size_t used = (size_t)snprintf(key, sizeof key, "%s", line->fields[RUN_ID]);
    for (size_t i = PLUGIN; i < FIELDS && used < sizeof key; i++)
        if (i != BACKEND && (i <= CACHE || i == KINDS))
            used += (size_t)snprintf(key + used, sizeof key - used, "\t%s",
                                     csv_unguarded(line->fields[i]));
    return hash_map_find(keys, key) != NULL;
}

/* The field of a configuration that is a number in another form, or FIELDS. */
static size_t odd_field(const sample_line *line)
{
    for (size_t i = N; i <= VT; i++)
        if ((*line->fields[i] || i == N) && !number_cell_is_whole(line->fields[i]))
            return i;
    return FIELDS;
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
    sample_line line = {0};
    char known[SAMPLES_KEY_BYTES] = ""; /* of the line before, mostly of this one too */
    scan_status status = SCAN_OK;
    for (size_t number = 1; status == SCAN_OK && next_line(in, &line); number++) {
        if (!split(&line)) {
            status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
            break;
        }
        const size_t odd = number > 1 ? odd_field(&line) : FIELDS;
        if (odd < FIELDS)
            status = errmsg_set(error, SCAN_INVALID,
                                "%s, line %zu: the cell %s is '%.40s', not a whole number as "
                                "scanbench writes it; did another program save the file? --resume "
                                "goes on with what scanbench wrote",
                                path, number, sample_names[odd], line.fields[odd]);
        else if (number > 1 && strcmp(line.fields[RUN_ID], known) != 0) {
            status = check_run(path, number, line.fields[RUN_ID], r, before, error);
            snprintf(known, sizeof known, "%s", line.fields[RUN_ID]);
        }
    }
    free(line.text);
    free(line.copy);
    return status;
}

scan_status resume_samples_check(const char *path, const resume *r, const char *before,
                                 errmsg *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return SCAN_OK;
    scan_status status = csv_check_header(path, sample_names, sample_column_count, error);
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

/* Goes through the lines behind the header and writes those that stay to `out`, unless NULL. */
static scan_status go_through(FILE *in, const hash_map *keys, FILE *out, sample_survey *s)
{
    sample_line line = {0};
    scan_status status = SCAN_OK;
    *s = (sample_survey){0};
    bool header = true;
    while (status == SCAN_OK && next_line(in, &line)) {
        if (!split(&line)) {
            status = SCAN_NO_MEMORY;
            break;
        }
        const bool good = header || stays(&line, keys);
        header = false;
        s->any_after |= good && s->any_goes;
        s->any_goes |= !good;
        s->whole += s->any_goes ? 0 : line.bytes;
        if (good && out)
            fwrite(line.text, 1, (size_t)line.bytes, out);
    }
    s->any_goes |= status == SCAN_OK && line.bytes > 0; /* the last line was cut short */
    free(line.text);
    free(line.copy);
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
    if (go_through(in, keys, new.out, &seen) == SCAN_OK)
        return output_files_replace(&new, lock, error);
    whole_file_drop(&new);
    return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
}

/* Keeps the lines of these keys, and the header; a last line that was cut short goes too. Moves the
 * lock if the file is replaced by another. */
static scan_status keep_samples(const char *path, const hash_map *keys, int *lock, errmsg *error)
{
    sample_survey seen;
    FILE *in = fopen(path, "rbe");
    if (!in)
        return errmsg_set(error, SCAN_ERROR, "opening %s: %s", path, strerror(errno));
    scan_status status = go_through(in, keys, NULL, &seen);
    if (status != SCAN_OK)
        errmsg_set(error, status, "out of memory");
    else if (seen.any_after)
        status = copy_lines(path, in, keys, lock, error);
    else if (seen.any_goes && truncate(path, seen.whole) != 0)
        status = errmsg_set(error, SCAN_ERROR, "cutting %s: %s", path, strerror(errno));
    fclose(in);
    return status;
}

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
        status = keep_samples(o->samples, keys, &files->samples, error);
    hash_map_free(keys);
    return status;
}

scan_status resume_put_rows(const resume *r, line_file *rows, errmsg *error)
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
        status = result_json_write(rows, cells, error);
    }
    free(cells);
    return status;
}
