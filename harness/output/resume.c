#include "output/resume.h"

#include "output/csv_reader.h"
#include "output/metadata.h"
#include "output/samples_file.h"
#include "system/hash_map.h"
#include "system/json_walk.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_ROW SIZE_MAX

/* One row of the file. */
typedef struct old_row {
    size_t previous;       /* the previous row of the same configuration, or NO_ROW */
    size_t previous_alike; /* the previous one of the same problem, whatever device and settings */
    phase_kind phase;
    row_status status;
    bool replaced; /* it is taken out of the file */
    double median_ns;
} old_row;

/* The columns that are read; -1 if the file lacks one. */
typedef struct row_columns {
    int key[MEASUREMENT_KEY_COLUMNS];
    int phase, median, status, run_id, host, role;
} row_columns;

struct resume {
    char *path;
    csv_table table;
    row_columns at;
    hash_map *last;       /* the last row of each configuration, by its key */
    hash_map *last_alike; /* the last row of each problem */
    old_row *rows;
    size_t keep;
};

/* The places of some columns among those of the key. */
enum { KEY_DEVICE = 1, KEY_KIND = 2, KEY_OP = 3, KEY_BLOCK = 6, KEY_PARAMS = 8 };

static row_columns find_columns(const csv_table *table)
{
    row_columns found = {.phase = csv_column(table, "phase"),
                         .median = csv_column(table, "median_ns"),
                         .status = csv_column(table, "status"),
                         .run_id = csv_column(table, "run_id"),
                         .host = csv_column(table, "host"),
                         .role = csv_column(table, "role")};
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++)
        found.key[i] = csv_column(table, measurement_key_columns[i]);
    return found;
}

/* A cell without the quote that keeps it from being a formula. */
static const char *cell_text(const csv_table *table, size_t row, int column)
{
    const char *cell = csv_cell(table, row, column);
    return *cell == '\'' && csv_is_formula(cell + 1) ? cell + 1 : cell;
}

static const char *cell(const resume *r, size_t row, int column)
{
    return cell_text(&r->table, row, column);
}

/* The key of a row, as measurement_key writes it. */
static void row_key(const resume *r, size_t row, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < MEASUREMENT_KEY_BYTES; i++)
        used += (size_t)snprintf(text + used, MEASUREMENT_KEY_BYTES - used, "%s%s", i ? "\t" : "",
                                 cell(r, row, r->at.key[i]));
}

/* What of a key is the problem: without the device, the settings and, if wanted, kind and operator,
 * which a ceiling has not. */
static void alike_key(const char *key, bool with_kind, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++) {
        const size_t length = strcspn(key, "\t");
        const bool of_settings = i >= KEY_BLOCK && i <= KEY_PARAMS;
        const bool of_kind = i == KEY_KIND || i == KEY_OP;
        const bool kept = i != KEY_DEVICE && !of_settings && (with_kind || !of_kind);
        if (kept)
            memcpy(text + used, key, length);
        used += kept ? length : 0;
        text[used++] = '\t';
        key += length + (key[length] == '\t');
    }
    text[used] = '\0';
}

static scan_status add_row(resume *r, size_t row)
{
    char key[MEASUREMENT_KEY_BYTES], alike[MEASUREMENT_KEY_BYTES + MEASUREMENT_KEY_COLUMNS];
    phase_name phase;
    r->rows[row] = (old_row){.previous = NO_ROW, .previous_alike = NO_ROW};
    if (!phase_parse(csv_cell(&r->table, row, r->at.phase), &phase))
        return SCAN_OK;
    row_key(r, row, key);
    alike_key(key, true, alike);
    size_t *last = hash_map_add(r->last, key, NO_ROW);
    size_t *last_alike = hash_map_add(r->last_alike, alike, NO_ROW);
    if (!last || !last_alike)
        return SCAN_NO_MEMORY;
    r->rows[row] = (old_row){.previous = *last,
                             .previous_alike = *last_alike,
                             .phase = phase.kind,
                             .status = row_status_find(csv_cell(&r->table, row, r->at.status)),
                             .median_ns = strtod(csv_cell(&r->table, row, r->at.median), NULL)};
    *last = *last_alike = row;
    return SCAN_OK;
}

/* The row of the run of a configuration, from one of its rows on; or NO_ROW. */
static size_t run_row(const resume *r, size_t row)
{
    while (row != NO_ROW && r->rows[row].phase != PHASE_RUN)
        row = r->rows[row].previous;
    return row;
}

/* Is its configuration complete? */
static bool is_complete(const resume *r, size_t row)
{
    char key[MEASUREMENT_KEY_BYTES];
    row_key(r, row, key);
    const size_t *last = hash_map_find(r->last, key);
    return !last || run_row(r, *last) != NO_ROW;
}

/* The row of the run is the last of its configuration: one that lacks it was interrupted, and is
 * the last of the file. Elsewhere it is so in a file that was sorted. */
static scan_status drop_incomplete(resume *r, errmsg *error)
{
    bool behind = false; /* was there a complete one behind this row? */
    for (size_t row = r->table.rows; row-- > 0;) {
        if (is_complete(r, row)) {
            behind = true;
            continue;
        }
        if (behind)
            return errmsg_set(error, SCAN_INVALID,
                              "%s, line %zu: its configuration has no row of the run, and rows of "
                              "others follow; was the file sorted or edited? Take such lines out, "
                              "and --resume measures them again",
                              r->path, csv_line(&r->table, row));
        r->rows[row].replaced = true;
    }
    return SCAN_OK;
}

static scan_status add_rows(resume *r, errmsg *error)
{
    scan_status status = SCAN_OK;
    r->at = find_columns(&r->table);
    r->last = hash_map_new();
    r->last_alike = hash_map_new();
    r->rows = calloc(r->table.rows + 1, sizeof *r->rows);
    if (!r->last || !r->last_alike || !r->rows)
        status = SCAN_NO_MEMORY;
    for (size_t row = 0; row < r->table.rows && status == SCAN_OK; row++)
        status = add_row(r, row);
    if (status != SCAN_OK)
        return errmsg_set(error, status, "%s: not enough memory for its rows", r->path);
    return drop_incomplete(r, error);
}

/* What is behind the last whole row is one that was cut short, which has no end of line. With
 * one it was edited: a quote that is never closed would take all rows behind it along. */
static scan_status check_tail(const char *path, const csv_table *table, errmsg *error)
{
    FILE *file = fopen(path, "rbe");
    const bool opened = file && fseeko(file, (off_t)csv_bytes(table, table->rows), SEEK_SET) == 0;
    bool begun = false, cut_short = true;
    for (int c; opened && cut_short && (c = getc(file)) != EOF;) {
        cut_short = !begun || c != '\n';
        begun = begun || (c != '\n' && c != '\r');
    }
    if (file)
        fclose(file);
    if (cut_short)
        return SCAN_OK;
    return errmsg_set(
        error, SCAN_INVALID,
        "%s: behind %zu rows there is one that does not end, with more lines; is there "
        "a quote that is never closed?",
        path, table->rows);
}

static scan_status read_table(const char *path, csv_table *table, errmsg *error)
{
    if (access(path, F_OK) != 0)
        return SCAN_OK;
    scan_status status = csv_check_header(path, result_csv_columns, result_csv_column_count, error);
    if (status == SCAN_OK)
        status = csv_read(path, CSV_TAIL_DROP, table, error);
    return status == SCAN_OK ? check_tail(path, table, error) : status;
}

scan_status resume_read(const char *path, resume **resume_p, errmsg *error)
{
    resume *r = calloc(1, sizeof *r);
    if (!r || !(r->path = strdup(path))) {
        free(r);
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    scan_status status = read_table(path, &r->table, error);
    if (status == SCAN_OK)
        status = add_rows(r, error);
    if (status == SCAN_OK)
        *resume_p = r;
    else
        resume_free(r);
    return status;
}

void resume_free(resume *r)
{
    if (!r)
        return;
    csv_free_table(&r->table);
    hash_map_free(r->last);
    hash_map_free(r->last_alike);
    free(r->rows);
    free(r->path);
    free(r);
}

size_t resume_keep(const resume *r)
{
    return r->keep;
}

/* ---- which rows stay ---------------------------------------------------------- */

/* Is the row of the configuration's settings? A plugin that was or is not loaded has none. */
static bool same_settings(const resume *r, size_t row, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    const char *field = key;
    if (m->session->plugin->problem || !*cell(r, row, r->at.role))
        return true;
    measurement_key(m, key);
    for (size_t i = 0; i <= KEY_PARAMS; i++) {
        const size_t length = strcspn(field, "\t");
        const char *its = cell(r, row, r->at.key[i]);
        if (i >= KEY_BLOCK && (strlen(its) != length || strncmp(its, field, length) != 0))
            return false;
        field += length + 1;
    }
    return true;
}

/* The last row of the same problem: with kind and operator, or of a ceiling, which has none. */
static size_t last_alike(const resume *r, const measurement *m, bool with_kind)
{
    char key[MEASUREMENT_KEY_BYTES], alike[MEASUREMENT_KEY_BYTES + MEASUREMENT_KEY_COLUMNS];
    const session *one = m->session;
    const plugin_info *plugin = one->plugin;
    plugin_info other = *plugin;
    session with = *one;
    measurement n = *m;
    other.role = SCAN_ROLE_ALGORITHM; /* whose key has kind and operator */
    with.plugin = &other;
    n.session = &with;
    measurement_key(&n, key);
    alike_key(key, with_kind, alike);
    const size_t *row = hash_map_find(r->last_alike, alike);
    return row ? *row : NO_ROW;
}

/* The last row of a configuration, or NO_ROW. */
static size_t exact_row(const resume *r, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    measurement_key(m, key);
    const size_t *row = hash_map_find(r->last, key);
    return row && !r->rows[*row].replaced ? *row : NO_ROW;
}

/* The same, or that of a device that was there and is not any more. */
static size_t last_row(const resume *r, const measurement *m)
{
    const size_t exact = exact_row(r, m);
    if (exact != NO_ROW || m->session->status != ROW_UNAVAILABLE)
        return exact;
    for (int with_kind = 1; with_kind >= 0; with_kind--)
        for (size_t row = last_alike(r, m, with_kind); row != NO_ROW;
             row = r->rows[row].previous_alike)
            if (!r->rows[row].replaced && same_settings(r, row, m))
                return row;
    return NO_ROW;
}

bool resume_has(const resume *r, const measurement *m)
{
    return run_row(r, last_row(r, m)) != NO_ROW;
}

row_status resume_status(const resume *r, const measurement *m)
{
    const size_t row = run_row(r, last_row(r, m));
    return row != NO_ROW ? r->rows[row].status : ROW_OK;
}

/* Replaces the rows of a configuration. */
static void replace(resume *r, size_t row)
{
    for (; row != NO_ROW; row = r->rows[row].previous)
        r->rows[row].replaced = true;
}

void resume_consider(resume *r, const measurement *m, bool retry)
{
    const size_t exact = exact_row(r, m);
    if (retry && exact != NO_ROW && row_status_is_failure(resume_status(r, m)))
        replace(r, exact);
    if (exact != NO_ROW || m->session->status == ROW_UNAVAILABLE)
        return;
    for (int with_kind = 1; with_kind >= 0; with_kind--)
        for (size_t row = last_alike(r, m, with_kind); row != NO_ROW;
             row = r->rows[row].previous_alike)
            if (!*cell(r, row, r->at.key[KEY_DEVICE]) && r->rows[row].status != ROW_OK &&
                same_settings(r, row, m))
                r->rows[row].replaced = true;
}

scan_status resume_restore_times(const resume *r, const measurement *m, result_csv *csv)
{
    scan_status status = SCAN_OK;
    for (size_t row = last_row(r, m); row != NO_ROW && status == SCAN_OK;
         row = r->rows[row].previous)
        if (r->rows[row].status == ROW_OK)
            status = result_csv_add_time(csv, m, r->rows[row].phase, r->rows[row].median_ns);
    return status;
}

/* ---- where they come from ----------------------------------------------------- */

bool resume_has_run(const resume *r, const char *run_id, size_t bytes)
{
    for (size_t row = 0; row < r->table.rows; row++) {
        const char *its = cell(r, row, r->at.run_id);
        if (!r->rows[row].replaced && strlen(its) == bytes && memcmp(its, run_id, bytes) == 0)
            return true;
    }
    return false;
}

static scan_status differs(const resume *r, const char *what, errmsg *error)
{
    return errmsg_set(error, SCAN_INVALID,
                      "--resume: %s has rows of %s; measure into another file, which scanbench "
                      "compare compares with it",
                      r->path, what);
}

/* Has the run's metadata another hash of the plugin's file? */
static bool is_rebuilt(json_value run, const plugin_info *plugin)
{
    char hash[24];
    metadata_hash(plugin->file, hash, sizeof hash);
    for (json_walk w = json_begin(json_member(run, "plugins")); *hash && json_next(&w);)
        if (json_is(json_member(w.value, "id"), plugin->id)) {
            const json_value its = json_member(w.value, "fnv1a64");
            return its.bytes > 2 && !json_is(its, hash);
        }
    return false;
}

/* Has it rows that stay of this plugin and run? */
static bool has_plugin_of(const resume *r, const char *plugin, json_value run_id)
{
    for (size_t row = 0; row < r->table.rows; row++)
        if (!r->rows[row].replaced && strcmp(cell(r, row, r->at.key[0]), plugin) == 0 &&
            json_is(run_id, cell(r, row, r->at.run_id)))
            return true;
    return false;
}

/* Compares one run of the metadata. */
static scan_status check_run(const resume *r, json_value run, const session_set *set, errmsg *error)
{
    char own[24], what[ERRMSG_BYTES / 2];
    const json_value run_id = json_member(run, "run_id");
    const json_value hash = json_member(run, "fnv1a64");
    if (!run_id.text || !resume_has_run(r, run_id.text + 1, run_id.bytes - 2))
        return SCAN_OK;
    metadata_hash("/proc/self/exe", own, sizeof own);
    if (*own && hash.text && !json_is(hash, own))
        return differs(r, "another build of scanbench", error);
    if (!hash.text && !json_is(json_member(run, "git_revision"), SCANBENCH_REVISION))
        return differs(r, "another scanbench", error);
    for (size_t i = 0; i < set->count; i++) {
        const plugin_info *plugin = set->sessions[i].plugin;
        if (!has_plugin_of(r, plugin->id, run_id) || !is_rebuilt(run, plugin))
            continue;
        snprintf(what, sizeof what, "another build of %s", plugin->id);
        return differs(r, what, error);
    }
    return SCAN_OK;
}

static scan_status check_hosts(const resume *r, errmsg *error)
{
    char host[72] = "", what[ERRMSG_BYTES / 2];
    gethostname(host, sizeof host - 1);
    for (size_t row = 0; row < r->table.rows; row++) {
        const char *its = cell(r, row, r->at.host);
        if (r->rows[row].replaced || strcmp(its, host) == 0)
            continue;
        snprintf(what, sizeof what, "another host, %s, and this is %s", its, host);
        return differs(r, what, error);
    }
    return SCAN_OK;
}

/* Warns of the first run with rows that the metadata does not describe. */
static void warn_of_unknown(const resume *r, json_value runs[2])
{
    const char *known = "";
    for (size_t row = 0; row < r->table.rows; row++) {
        const char *its = cell(r, row, r->at.run_id);
        if (r->rows[row].replaced || strcmp(its, known) == 0)
            continue;
        bool found = json_is(json_member(runs[0], "run_id"), its);
        for (json_walk w = json_begin(runs[1]); !found && json_next(&w);)
            found = json_is(json_member(w.value, "run_id"), its);
        if (!found) {
            fprintf(stderr,
                    "scanbench: warning: %s-metadata.json does not describe the run %s: whether "
                    "its rows are of the same plugin files is not known\n",
                    r->path, its);
            return;
        }
        known = its;
    }
}

scan_status resume_check_origin(const resume *r, const char *before, const session_set *set,
                                errmsg *error)
{
    json_value runs[2] = {{0}};
    if (before)
        runs[0] = json_whole(before, strlen(before));
    runs[1] = json_member(runs[0], METADATA_EARLIER);
    if (before && !runs[0].text)
        return errmsg_set(error, SCAN_INVALID,
                          "%s-metadata.json is not JSON any more; mend it or move it away, for "
                          "--resume keeps what it says of the rows",
                          r->path);
    scan_status status = check_hosts(r, error);
    if (status == SCAN_OK)
        status = check_run(r, runs[0], set, error);
    for (json_walk w = json_begin(runs[1]); status == SCAN_OK && json_next(&w);)
        status = check_run(r, w.value, set, error);
    if (status == SCAN_OK)
        warn_of_unknown(r, runs);
    return status;
}

/* ---- the files ---------------------------------------------------------------- */

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
    int fd = -1;
    scan_status status = SCAN_OK;
    if (!text || !in || fread(text, 1, bytes, in) != bytes)
        status = errmsg_set(error, SCAN_ERROR, "reading %s again failed", r->path);
    if (in)
        fclose(in);
    if (status == SCAN_OK)
        status = output_files_begin_new(r->path, &fd, error);
    FILE *out = status == SCAN_OK ? fdopen(dup(fd), "w") : NULL;
    r->keep = 0;
    if (out) {
        copy_rows(r, text, out);
        const bool bad = ferror(out) != 0;
        if (fclose(out) != 0 || bad)
            status = errmsg_set(error, SCAN_ERROR, "writing %s.new: %s", r->path, strerror(errno));
    } else if (status == SCAN_OK) {
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    free(text);
    if (status == SCAN_OK)
        return output_files_replace(r->path, fd, lock, error);
    if (fd >= 0)
        close(fd);
    return status;
}

/* Notes the configurations that stay as the samples know them. */
static scan_status add_samples_keys(const resume *r, hash_map *keys)
{
    char key[SAMPLES_KEY_BYTES];
    for (size_t row = 0; row < r->table.rows; row++) {
        if (r->rows[row].replaced)
            continue;
        size_t used = (size_t)snprintf(key, sizeof key, "%s", cell(r, row, r->at.run_id));
        for (size_t i = 0; i + 1 < MEASUREMENT_KEY_COLUMNS && used < sizeof key; i++)
            used +=
                (size_t)snprintf(key + used, sizeof key - used, "\t%s", cell(r, row, r->at.key[i]));
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
        status = samples_file_keep(o->samples, keys, &files->samples, error);
    hash_map_free(keys);
    return status;
}
