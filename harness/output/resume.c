#include "output/resume_rows.h"

#include "output/columns.h"
#include "output/described_runs.h"
#include "protocol/job.h"
#include "system/file_identity.h"
#include "text/array_room.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The places of some columns among those of the key. */
enum { KEY_DEVICE = 1, KEY_KIND = 2, KEY_OP = 3, KEY_BLOCK = 6, KEY_PARAMS = 8, KEY_KINDS = 10 };

enum { RESUME_ALIKE_BYTES = MEASUREMENT_KEY_BYTES + MEASUREMENT_KEY_COLUMNS };

const char *resume_key_cell(const old_row *row, size_t i)
{
    static const int columns[MEASUREMENT_KEY_COLUMNS] = {
        COLUMN_AT_plugin, COLUMN_AT_device, COLUMN_AT_kind,  COLUMN_AT_op,
        COLUMN_AT_dtype,  COLUMN_AT_n,      COLUMN_AT_block, COLUMN_AT_vt,
        COLUMN_AT_params, COLUMN_AT_cache,  COLUMN_AT_kinds, COLUMN_AT_seed};
    const char *cell = row->line.cells[columns[i]];
    return i == KEY_KINDS && !*cell ? ROW_CELL(row, kind) : cell;
}

size_t resume_line(const resume *r, const old_row *row)
{
    return (size_t)(row - r->rows) + 2;
}

/* The key of a row, as measurement_key writes it. */
static void row_key(const old_row *row, char text[MEASUREMENT_KEY_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < MEASUREMENT_KEY_BYTES; i++)
        used += (size_t)snprintf(text + used, MEASUREMENT_KEY_BYTES - used, "%s%s", i ? "\t" : "",
                                 resume_key_cell(row, i));
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

/* Takes in a row that was read, at the end of r->rows. */
static scan_status add_row(resume *r, errmsg *error)
{
    char key[MEASUREMENT_KEY_BYTES], alike[RESUME_ALIKE_BYTES];
    phase_name phase;
    old_row *row = &r->rows[r->count];
    if (!phase_parse(ROW_CELL(row, phase), &phase))
        return csv_refuse(r->path, resume_line(r, row), "phase", ROW_CELL(row, phase),
                          "a word that it does not have", error);
    row_key(row, key);
    alike_key(key, true, alike);
    size_t *last = hash_map_add(r->last, key, NO_ROW);
    size_t *last_alike = hash_map_add(r->last_alike, alike, NO_ROW);
    if (!last || !last_alike)
        return errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for its rows", r->path);
    row->previous = *last;
    row->previous_alike = *last_alike;
    row->phase = phase.kind;
    row->status = row_status_find(ROW_CELL(row, status));
    row->median_ns = strtod(ROW_CELL(row, median_ns), NULL);
    *last = *last_alike = r->count++;
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
static bool is_complete(const resume *r, const old_row *row)
{
    char key[MEASUREMENT_KEY_BYTES];
    row_key(row, key);
    const size_t *last = hash_map_find(r->last, key);
    return !last || run_row(r, *last) != NO_ROW;
}

/* The row of the run is the last of its configuration: one that lacks it was interrupted, and is
 * the last of the file. Elsewhere it is so in a file that was sorted. */
static scan_status drop_incomplete(resume *r, errmsg *error)
{
    bool behind = false; /* was there a complete one behind this row? */
    for (size_t i = r->count; i-- > 0;) {
        old_row *row = &r->rows[i];
        row->replaced = !is_complete(r, row);
        if (row->replaced && behind)
            return errmsg_set(error, SCAN_INVALID,
                              "%s, line %zu: its configuration has no row of the run, and rows of "
                              "others follow; was the file sorted or edited? Take such lines out, "
                              "and --resume measures them again",
                              r->path, resume_line(r, row));
        behind |= !row->replaced;
    }
    return SCAN_OK;
}

/* How many rounds of a list have a time? */
static unsigned long times_in(const char *list)
{
    unsigned long times = 0;
    for (; *list; list += strcspn(list, " "), list += *list == ' ')
        times += *list != '-';
    return times;
}

/* Are the cells of the rows that stay those that a run writes? SCAN_OK; else `error` names the
 * first that is not. */
static scan_status check_rows(const resume *r, errmsg *error)
{
    scan_status status = SCAN_OK;
    for (const old_row *row = r->rows; status == SCAN_OK && row < r->rows + r->count; row++) {
        const char *rounds = ROW_CELL(row, rounds), *times = ROW_CELL(row, rounds_ns);
        const size_t line = resume_line(r, row);
        if (row->replaced)
            continue;
        status = csv_check_cells(r->path, line, &row_columns, &row->line, error);
        if (status == SCAN_OK && *times && strtoul(rounds, NULL, 10) != times_in(times))
            status =
                csv_refuse(r->path, line, "rounds", rounds, "not how many rounds_ns has", error);
        else if (status == SCAN_OK && row->status == ROW_OK && !(row->median_ns > 0))
            status = csv_refuse(r->path, line, "median_ns", ROW_CELL(row, median_ns),
                                "but the row is ok", error);
    }
    return status;
}

/* ---- reading it ---- */

/* Reads the next row behind r->rows. *there_p: there was one. */
static scan_status read_row(resume *r, FILE *in, bool *there_p, errmsg *error)
{
    old_row *rows = array_room(r->rows, &r->capacity, r->count, 1, sizeof *rows);
    if (!rows)
        return errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for its rows", r->path);
    r->rows = rows;
    old_row *row = &rows[r->count];
    *row = (old_row){.previous = NO_ROW};
    *there_p = csv_next(in, &row->line);
    scan_status status = SCAN_OK;
    if (*there_p && strcmp(row->line.text, r->header.text) == 0)
        status = errmsg_set(error, SCAN_INVALID,
                            "%s, line %zu: the names of the columns again: files were joined here; "
                            "take them apart, and name each",
                            r->path, resume_line(r, row));
    else if (*there_p)
        status = csv_split(r->path, resume_line(r, row), &row_columns, &row->line, error);
    if (*there_p && status == SCAN_OK)
        status = add_row(r, error);
    if (!*there_p || status != SCAN_OK)
        csv_line_free(&row->line);
    return status;
}

static scan_status read_rows(resume *r, errmsg *error)
{
    if (access(r->path, F_OK) != 0)
        return SCAN_OK;
    scan_status status = csv_check_header(r->path, &row_columns, error);
    if (status != SCAN_OK)
        return status;
    FILE *in = fopen(r->path, "rbe");
    if (!in)
        return errmsg_set(error, SCAN_ERROR, "opening %s: %s", r->path, strerror(errno));
    bool more = csv_next(in, &r->header);
    if (!more)
        csv_line_free(&r->header); /* a beginning of it is written anew */
    while (more && status == SCAN_OK)
        status = read_row(r, in, &more, error);
    fclose(in);
    if (status == SCAN_OK)
        status = drop_incomplete(r, error);
    return status == SCAN_OK ? check_rows(r, error) : status;
}

scan_status resume_read(const char *path, resume **resume_p, errmsg *error)
{
    resume *r = calloc(1, sizeof *r);
    if (r)
        *r = (resume){.path = strdup(path), .last = hash_map_new(), .last_alike = hash_map_new()};
    const bool good = r && r->path && r->last && r->last_alike;
    scan_status status =
        good ? read_rows(r, error) : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
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
    for (size_t i = 0; i < r->count; i++)
        csv_line_free(&r->rows[i].line);
    csv_line_free(&r->header);
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
static bool same_settings(const old_row *row, const measurement *m)
{
    char key[MEASUREMENT_KEY_BYTES];
    const char *field = key;
    if (m->session->plugin->problem || !*ROW_CELL(row, role))
        return true;
    measurement_key(m, key);
    for (size_t i = 0; i <= KEY_PARAMS; i++) {
        const size_t length = strcspn(field, "\t");
        const char *its = resume_key_cell(row, i);
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
            if (!r->rows[row].replaced && same_settings(&r->rows[row], m))
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
            if (!*ROW_CELL(&r->rows[row], device) && r->rows[row].status != ROW_OK &&
                same_settings(&r->rows[row], m))
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
    for (const old_row *row = r->rows; row < r->rows + r->count; row++) {
        const char *its = ROW_CELL(row, run_id);
        if (!row->replaced && strlen(its) == bytes && memcmp(its, run_id, bytes) == 0)
            return true;
    }
    return false;
}

bool resume_has_plugin(const resume *r, const char *plugin, json_value run_id)
{
    for (const old_row *row = r->rows; row < r->rows + r->count; row++)
        if (!row->replaced && strcmp(ROW_CELL(row, plugin), plugin) == 0 &&
            json_is(run_id, ROW_CELL(row, run_id)))
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
    for (const old_row *row = r->rows; row < r->rows + r->count; row++) {
        const char *its = ROW_CELL(row, host);
        if (row->replaced || strcmp(its, host) == 0)
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
    for (const old_row *row = r->rows; row < r->rows + r->count; row++)
        if (strcmp(ROW_CELL(row, run_id), run_id) == 0)
            return true;
    return before && describes(before, run_id);
}

/* Warns of the first run with rows that the metadata does not describe. */
static void warn_of_unknown(const resume *r, const char *before)
{
    const char *known = "";
    for (const old_row *row = r->rows; row < r->rows + r->count; row++) {
        const char *its = ROW_CELL(row, run_id);
        if (row->replaced || strcmp(its, known) == 0)
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
