#include "output/resume_rows.h"

#include "output/columns.h"
#include "output/metadata.h"
#include "problem/names.h"
#include "protocol/job.h"
#include "system/file_identity.h"
#include "text/array_room.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line of a row in the file, each being one. */
static size_t line_of(const resume *r, const old_row *row)
{
    return (size_t)(row - r->rows) + 2;
}

/* ---- keys ---- */

config_key resume_row_key(const old_row *row)
{
    static const int columns[MEASUREMENT_KEY_COLUMNS] = {
        COLUMN_AT_plugin, COLUMN_AT_device, COLUMN_AT_kind,  COLUMN_AT_op,     COLUMN_AT_dtype,
        COLUMN_AT_n,      COLUMN_AT_block,  COLUMN_AT_vt,    COLUMN_AT_params, COLUMN_AT_cache,
        COLUMN_AT_kinds,  COLUMN_AT_rows,   COLUMN_AT_inner, COLUMN_AT_result, COLUMN_AT_seed};
    config_key key;
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++)
        key.of[i] = row->line.cells[columns[i]];
    for (int i = KEY_ROWS; i <= KEY_INNER; i++)
        if (!*key.of[i])
            key.of[i] = "1";
    if (!*key.of[KEY_RESULT])
        key.of[KEY_RESULT] = key.of[KEY_DTYPE];
    if (!*key.of[KEY_KINDS]) /* who asked for one kind may leave it empty */
        key.of[KEY_KINDS] = key.of[KEY_KIND];
    return key;
}

/* The same of a configuration; `text` has it. */
static config_key key_of(const measurement *m, char text[MEASUREMENT_KEY_BYTES])
{
    config_key key;
    measurement_key(m, text);
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS; i++)
        key.of[i] = strsep(&text, "\t");
    return key;
}

const char *resume_key_text(const char *word, const config_key *key, uint32_t columns,
                            char text[KEY_TEXT_BYTES])
{
    size_t used = (size_t)snprintf(text, KEY_TEXT_BYTES, "%s", word);
    for (size_t i = 0; i < MEASUREMENT_KEY_COLUMNS && used < KEY_TEXT_BYTES; i++)
        used += (size_t)snprintf(text + used, KEY_TEXT_BYTES - used, "\t%s",
                                 columns >> i & 1 ? key->of[i] : "");
    return text;
}

/* What of a key is the problem: without the device, the settings and, if wanted, kind and operator,
 * which a ceiling does not have. Where any kind will do, a plugin that was not loaded may have
 * turned out to have the other one. */
static const char *alike_text(const config_key *key, bool with_kind, char text[KEY_TEXT_BYTES])
{
    uint32_t columns =
        KEY_ALL & ~(1U << KEY_DEVICE | 1U << KEY_BLOCK | 1U << KEY_VT | 1U << KEY_PARAMS);
    if (!with_kind)
        columns &= ~(1U << KEY_KIND | 1U << KEY_OP | 1U << KEY_KINDS);
    if (strcmp(key->of[KEY_KINDS], JOB_ANY_KIND) == 0)
        columns &= ~(1U << KEY_KIND);
    return resume_key_text("", key, columns, text);
}

/* ---- reading it ---- */

/* Takes in a row that was read, at the end of r->rows. */
static scan_status add_row(resume *r, errmsg *error)
{
    char text[KEY_TEXT_BYTES];
    phase_name phase;
    old_row *row = &r->rows[r->count];
    if (!phase_parse(ROW_CELL(row, phase), &phase))
        return csv_refuse(r->path, line_of(r, row), "phase", ROW_CELL(row, phase),
                          "a word that it does not have", error);
    const config_key key = resume_row_key(row);
    size_t *last = hash_map_add(r->last, resume_key_text("", &key, KEY_ALL, text), NO_ROW);
    size_t *last_alike = hash_map_add(r->last_alike, alike_text(&key, true, text), NO_ROW);
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

/* The last row of a configuration, replaced or not, or NO_ROW. */
static size_t find_last(const resume *r, const config_key *key)
{
    char text[KEY_TEXT_BYTES];
    const size_t *row = hash_map_find(r->last, resume_key_text("", key, KEY_ALL, text));
    return row ? *row : NO_ROW;
}

/* The row of the run is the last of its configuration: one that lacks it was interrupted, and is
 * the last of the file. Elsewhere it is so in a file that was sorted. */
static scan_status drop_incomplete(resume *r, errmsg *error)
{
    bool behind = false; /* was there a complete one behind this row? */
    for (size_t i = r->count; i-- > 0;) {
        old_row *row = &r->rows[i];
        const config_key key = resume_row_key(row);
        row->replaced = run_row(r, find_last(r, &key)) == NO_ROW;
        if (row->replaced && behind)
            return errmsg_set(error, SCAN_INVALID,
                              "%s, line %zu: its configuration has no row of the run, and rows of "
                              "others follow; was the file sorted or edited? Take such lines out, "
                              "and --resume measures them again",
                              r->path, line_of(r, row));
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
        const size_t line = line_of(r, row);
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

static scan_status read_rows(resume *r, errmsg *error)
{
    csv_reader in;
    bool there = true;
    if (access(r->path, F_OK) != 0)
        return SCAN_OK;
    scan_status status = csv_reader_open(r->path, &row_columns, &in, error);
    while (status == SCAN_OK && (status = csv_reader_next(&in, &there, error)) == SCAN_OK &&
           there) {
        old_row *rows = array_room(r->rows, &r->capacity, r->count, 1, sizeof *rows);
        if (!rows) {
            status =
                errmsg_set(error, SCAN_NO_MEMORY, "%s: not enough memory for its rows", r->path);
            break;
        }
        r->rows = rows;
        r->rows[r->count] = (old_row){.line = in.line};
        status = add_row(r, error);
        if (status == SCAN_OK)
            in.line = (csv_line){.text = NULL}; /* it is the row's now */
    }
    csv_reader_close(&in);
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
    hash_map_free(r->last);
    hash_map_free(r->last_alike);
    free(r->rows);
    free(r->path);
    free(r);
}

/* ---- which rows are those of a configuration? ---- */

/* Is the row of the configuration's settings? A plugin that was or is not loaded has none. */
static bool same_settings(const old_row *row, const measurement *m)
{
    char text[MEASUREMENT_KEY_BYTES];
    if (m->session->plugin->problem || !*ROW_CELL(row, role))
        return true;
    const config_key its = resume_row_key(row), key = key_of(m, text);
    bool same = true;
    for (size_t i = KEY_BLOCK; i <= KEY_PARAMS; i++)
        same &= strcmp(its.of[i], key.of[i]) == 0;
    return same;
}

/* The last row of the same problem: with kind and operator, or of a ceiling, which has none. */
static size_t last_alike(const resume *r, const measurement *m, bool with_kind)
{
    char text[MEASUREMENT_KEY_BYTES], alike[KEY_TEXT_BYTES];
    const job *j = &m->configuration->job;
    config_key key = key_of(m, text);
    key.of[KEY_KIND] = kind_name(j->kind);
    key.of[KEY_OP] = op_name(j->op);
    key.of[KEY_KINDS] = job_kinds_word(j);
    const size_t *row = hash_map_find(r->last_alike, alike_text(&key, with_kind, alike));
    return row ? *row : NO_ROW;
}

/* The last row of a configuration that stays, or NO_ROW. */
static size_t exact_row(const resume *r, const measurement *m)
{
    char text[MEASUREMENT_KEY_BYTES];
    const config_key key = key_of(m, text);
    const size_t row = find_last(r, &key);
    return row != NO_ROW && !r->rows[row].replaced ? row : NO_ROW;
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

bool resume_has_run(const resume *r, json_value run_id)
{
    for (const old_row *row = r->rows; row < r->rows + r->count; row++)
        if (!row->replaced && json_is(run_id, ROW_CELL(row, run_id)))
            return true;
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

/* Compares one run of the metadata. */
static scan_status check_run(const resume *r, json_value run, const session_set *set, errmsg *error)
{
    char own[FILE_HASH_BYTES], what[ERRMSG_BYTES / 2];
    const json_value run_id = json_member(run, "run_id");
    const json_value hash = json_member(run, METADATA_HASH);
    if (!resume_has_run(r, run_id))
        return SCAN_OK;
    file_hash("/proc/self/exe", own);
    if (*own && hash.text && !json_is(hash, own))
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
    if (before && !w.known)
        return errmsg_set(error, SCAN_INVALID,
                          "%s-metadata.json is not JSON any more, or of an older scanbench; repair "
                          "it or move it away, for --resume keeps what it says of the rows",
                          r->path);
    scan_status status = check_hosts(r, error);
    for (json_value run; status == SCAN_OK && metadata_next(&w, &run);)
        status = check_run(r, run, set, error);
    if (status == SCAN_OK)
        warn_of_unknown(r, text);
    return status;
}
