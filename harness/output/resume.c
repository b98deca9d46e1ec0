#include "output/resume_rows.h"

#include "output/columns.h"
#include "output/metadata.h"
#include "protocol/job.h"
#include "system/file_identity.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The places of some columns among those of the key. */
enum { KEY_DEVICE = 1, KEY_KIND = 2, KEY_OP = 3, KEY_BLOCK = 6, KEY_PARAMS = 8, KEY_KINDS = 10 };

enum { RESUME_ALIKE_BYTES = MEASUREMENT_KEY_BYTES + MEASUREMENT_KEY_COLUMNS };

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

const char *resume_cell(const resume *r, size_t row, int column)
{
    return csv_unguarded(csv_cell(&r->table, row, column));
}

const char *resume_key_cell(const resume *r, size_t row, size_t i)
{
    const char *cell = resume_cell(r, row, r->at.key[i]);
    return i == KEY_KINDS && !*cell ? resume_cell(r, row, r->at.key[KEY_KIND]) : cell;
}

/* The key of a row, as measurement_key writes it. */
static void row_key(const resume *r, size_t row, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < MEASUREMENT_KEY_BYTES; i++)
        used += (size_t)snprintf(text + used, MEASUREMENT_KEY_BYTES - used, "%s%s", i ? "\t" : "",
                                 resume_key_cell(r, row, i));
}

/* Field `i` of a key. */
static const char *field_of(const char *key, size_t i)
{
    for (; i > 0; i--)
        key += strcspn(key, "\t") + 1;
    return key;
}

static bool is_any_kind(const char *key)
{
    const char *field = field_of(key, KEY_KINDS);
    return strncmp(field, JOB_ANY_KIND "\t", sizeof JOB_ANY_KIND) == 0;
}

/* What of a key is the problem: without the device, the settings and, if wanted, kind and operator,
 * which a ceiling does not have. Where any kind will do, a plugin that was not loaded may have
 * turned out to have the other one. */
static void alike_key(const char *key, bool with_kind, char text[RESUME_ALIKE_BYTES])
{
    size_t used = 0;
    const bool any_kind = is_any_kind(key);
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++) {
        const size_t length = strcspn(key, "\t");
        const bool of_settings = i >= KEY_BLOCK && i <= KEY_PARAMS;
        const bool of_kind = i == KEY_KIND || i == KEY_OP || i == KEY_KINDS;
        const bool open = i == KEY_KIND && any_kind;
        const bool kept = i != KEY_DEVICE && !of_settings && !open && (with_kind || !of_kind);
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
    char key[MEASUREMENT_KEY_BYTES], alike[RESUME_ALIKE_BYTES];
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

/* Takes in the rows of r->table, and replaces those of configurations that were interrupted. */
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

/* ---- are its cells those that a run writes? ---- */

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

/* How many rounds of a list have a time? */
static unsigned long times_in(const char *list)
{
    unsigned long times = 0;
    for (; *list; list += strcspn(list, " "), list += *list == ' ')
        times += *list != '-';
    return times;
}

static scan_status check_row(const resume *r, size_t row, const int *places, errmsg *error)
{
    const char *rounds = "", *times = "";
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
        if (strcmp(c->name, "rounds") == 0)
            rounds = cell;
        if (strcmp(c->name, "rounds_ns") == 0)
            times = cell;
    }
    if (*times && strtoul(rounds, NULL, 10) != times_in(times))
        return refuse(r, row, "rounds", rounds, "not how many rounds_ns has; " SAVED, error);
    if (r->rows[row].status == ROW_OK && !(r->rows[row].median_ns > 0))
        return refuse(r, row, "median_ns", resume_cell(r, row, r->at.median),
                      "but the row is ok; " TAKE_OUT, error);
    return SCAN_OK;
}

/* Are the cells of the rows that stay of this schema, in the form of their columns? SCAN_OK; else
 * `error` names the first that is not. */
static scan_status check_cells(const resume *r, errmsg *error)
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

/* ---- reading it ---- */

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

/* Are the names of the columns those of a run, but written otherwise: in quotes, with spaces? A
 * byte-order mark and CR have messages of their own. */
static bool is_rewritten(const csv_table *table)
{
    enum { MARK_AND_CR = 4 };
    size_t plain = 0;
    bool same = table->columns == column_count;
    for (size_t i = 0; same && i < column_count; i++) {
        same = strcmp(csv_column_name(table, i), column_names[i]) == 0;
        plain += strlen(column_names[i]) + 1;
    }
    return same && csv_bytes(table, 0) > plain + MARK_AND_CR;
}

static scan_status read_table(const char *path, csv_table *table, errmsg *error)
{
    if (access(path, F_OK) != 0)
        return SCAN_OK;
    scan_status status = csv_read(path, table, error);
    if (status == SCAN_OK && is_rewritten(table))
        return errmsg_set(
            error, SCAN_INVALID,
            "%s: the names of its columns are in quotes: another program has saved the "
            "file; --resume goes on with what scanbench wrote",
            path);
    if (status == SCAN_OK)
        status = csv_check_header(path, column_names, column_count, error);
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
        status = check_cells(r, error);
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

const char *resume_path(const resume *r)
{
    return r->path;
}

size_t resume_keep(const resume *r)
{
    return r->keep;
}

/* Is the row of the configuration's settings? A plugin that was or is not loaded has none. */
static bool same_settings(const resume *r, size_t row, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    const char *field = key;
    if (m->session->plugin->problem || !*resume_cell(r, row, r->at.role))
        return true;
    measurement_key(m, key);
    for (size_t i = 0; i <= KEY_PARAMS; i++) {
        const size_t length = strcspn(field, "\t");
        const char *its = resume_cell(r, row, r->at.key[i]);
        if (i >= KEY_BLOCK && (strlen(its) != length || strncmp(its, field, length) != 0))
            return false;
        field += length + 1;
    }
    return true;
}

/* The last row of the same problem: with kind and operator, or of a ceiling, which has none. */
static size_t last_alike(const resume *r, const measurement *m, bool with_kind)
{
    char key[MEASUREMENT_KEY_BYTES], alike[RESUME_ALIKE_BYTES];
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
    if (retry && exact != NO_ROW && row_status_is_retried(resume_status(r, m)))
        replace(r, exact);
    if (exact != NO_ROW || m->session->status == ROW_UNAVAILABLE)
        return;
    for (int with_kind = 1; with_kind >= 0; with_kind--)
        for (size_t row = last_alike(r, m, with_kind); row != NO_ROW;
             row = r->rows[row].previous_alike)
            if (!*resume_cell(r, row, r->at.key[KEY_DEVICE]) && r->rows[row].status != ROW_OK &&
                same_settings(r, row, m))
                r->rows[row].replaced = true;
}

scan_status resume_restore_times(const resume *r, const measurement *m, row_references *known)
{
    scan_status status = SCAN_OK;
    for (size_t row = last_row(r, m); row != NO_ROW && status == SCAN_OK;
         row = r->rows[row].previous)
        if (r->rows[row].status == ROW_OK)
            status = row_references_add(known, m, r->rows[row].phase, r->rows[row].median_ns);
    return status;
}

/* ---- is it of this host, this scanbench and these plugin files? ---- */

/* The member that hashes had before they were SHA-256. */
#define OLDER_HASH "fnv1a64"

bool resume_has_run(const resume *r, const char *run_id, size_t bytes)
{
    for (size_t row = 0; row < r->table.rows; row++) {
        const char *its = resume_cell(r, row, r->at.run_id);
        if (!r->rows[row].replaced && strlen(its) == bytes && memcmp(its, run_id, bytes) == 0)
            return true;
    }
    return false;
}

bool resume_has_plugin(const resume *r, const char *plugin, json_value run_id)
{
    for (size_t row = 0; row < r->table.rows; row++)
        if (!r->rows[row].replaced && strcmp(resume_cell(r, row, r->at.key[0]), plugin) == 0 &&
            json_is(run_id, resume_cell(r, row, r->at.run_id)))
            return true;
    return false;
}

static scan_status differs(const resume *r, const char *what, errmsg *error)
{
    return errmsg_set(error, SCAN_INVALID,
                      "--resume: %s has rows of %s; measure into another file, which scanbench "
                      "compare compares with it",
                      r->path, what);
}

/* Does the run's metadata have another hash of the plugin's file? */
static bool is_rebuilt(json_value run, const session *now)
{
    const char *hash = now->build.hash;
    for (json_walk w = json_begin(json_member(run, "plugins")); *hash && json_next(&w);)
        if (json_is(json_member(w.value, "id"), now->plugin->id)) {
            const json_value its = json_member(w.value, METADATA_HASH);
            return its.bytes > 2 && !json_is(its, hash);
        }
    return false;
}

/* Was it written by a build that had other hashes than SHA-256? */
static bool has_older_hashes(json_value run)
{
    json_walk w = json_begin(json_member(run, "plugins"));
    return json_member(run, OLDER_HASH).text ||
           (json_next(&w) && json_member(w.value, OLDER_HASH).text);
}

/* Compares one run of the metadata. */
static scan_status check_run(const resume *r, json_value run, const session_set *set, errmsg *error)
{
    char own[FILE_HASH_BYTES], what[ERRMSG_BYTES / 2];
    const json_value run_id = json_member(run, "run_id");
    const json_value hash = json_member(run, METADATA_HASH);
    if (!run_id.text || !resume_has_run(r, run_id.text + 1, run_id.bytes - 2))
        return SCAN_OK;
    file_hash("/proc/self/exe", own);
    if (has_older_hashes(run) || (*own && hash.text && !json_is(hash, own)))
        return differs(r, "another build of scanbench", error);
    if (!hash.text && !json_is(json_member(run, "git_revision"), SCANBENCH_REVISION))
        return differs(r, "another scanbench", error);
    for (size_t i = 0; i < set->count; i++) {
        const plugin_info *plugin = set->sessions[i].plugin;
        if (!resume_has_plugin(r, plugin->id, run_id) || !is_rebuilt(run, &set->sessions[i]))
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
        const char *its = resume_cell(r, row, r->at.host);
        if (r->rows[row].replaced || strcmp(its, host) == 0)
            continue;
        snprintf(what, sizeof what, "another host, %s, and this is %s", its, host);
        return differs(r, what, error);
    }
    return SCAN_OK;
}

/* Does the metadata describe the run? */
static bool describes(const char *before, const char *run_id)
{
    metadata_walk w = metadata_begin(before, strlen(before));
    for (json_value run; metadata_next(&w, &run);)
        if (json_is(json_member(run, "run_id"), run_id))
            return true;
    return false;
}

bool resume_knows_run(const resume *r, const char *before, const char *run_id)
{
    for (size_t row = 0; row < r->table.rows; row++)
        if (strcmp(resume_cell(r, row, r->at.run_id), run_id) == 0)
            return true;
    return before && describes(before, run_id);
}

/* Warns of the first run with rows that the metadata does not describe. */
static void warn_of_unknown(const resume *r, const char *before)
{
    const char *known = "";
    for (size_t row = 0; row < r->table.rows; row++) {
        const char *its = resume_cell(r, row, r->at.run_id);
        if (r->rows[row].replaced || strcmp(its, known) == 0)
            continue;
        if (!describes(before, its)) {
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
    const char *text = before ? before : "";
    metadata_walk w = metadata_begin(text, strlen(text));
    if (before && !w.whole.text)
        return errmsg_set(error, SCAN_INVALID,
                          "%s-metadata.json is not JSON any more; repair it or move it away, for "
                          "--resume keeps what it says of the rows",
                          r->path);
    scan_status status = check_hosts(r, error);
    for (json_value run; status == SCAN_OK && metadata_next(&w, &run);)
        status = check_run(r, run, set, error);
    if (status == SCAN_OK)
        warn_of_unknown(r, text);
    return status;
}
