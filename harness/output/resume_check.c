/*
 * resume_check.c - may the rows of the file be continued? Not those of another schema, host,
 * scanbench or plugin file, and not those whose cells no run has written
 */
#include "output/columns.h"
#include "output/metadata.h"
#include "output/resume_rows.h"
#include "system/file_identity.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
                          "%s-metadata.json is not JSON any more; mend it or move it away, for "
                          "--resume keeps what it says of the rows",
                          r->path);
    scan_status status = check_hosts(r, error);
    for (json_value run; status == SCAN_OK && metadata_next(&w, &run);)
        status = check_run(r, run, set, error);
    if (status == SCAN_OK)
        warn_of_unknown(r, text);
    return status;
}
