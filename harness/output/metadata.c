#include "output/metadata.h"

#include "output/columns.h"
#include "system/file_identity.h"
#include "system/machine_state.h"
#include "system/memory.h"
#include "system/whole_file.h"
#include "text/json.h"
#include "version.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- read again ---- */

/* Metadata take some 20 KiB and 300 bytes for each plugin of a run. */
enum { BYTES_MOST = 64 << 20 };

char *metadata_read(const char *csv)
{
    char *path, *text = NULL;
    errmsg error;
    if (asprintf(&path, "%s" METADATA_ENDING, csv) < 0)
        return NULL;
    if (input_file_read(path, BYTES_MOST, &text, &error) == SCAN_ERROR)
        fprintf(stderr, "scanbench: %s; these metadata are ignored\n", error.text);
    free(path);
    return text;
}

metadata_walk metadata_begin(const char *text, size_t bytes)
{
    const json_value notes = json_member(json_whole(text, bytes), METADATA_NOTES);
    return (metadata_walk){.known = notes.text != NULL, .rest = json_begin(notes)};
}

bool metadata_next(metadata_walk *w, json_value *run_p)
{
    while (json_next(&w->rest))
        if (json_member(w->rest.value, "run_id").text) {
            *run_p = w->rest.value;
            return true;
        }
    return false;
}

/* ---- written ---- */

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "      \"%s\": ", name);
    json_string(out, text);
    fputs(",\n", out);
}

/* What is unknown is absent. */
static void put_known(FILE *out, const char *name, const char *text)
{
    if (*text)
        put_member(out, name, text);
}

static void put_machine(FILE *out, const cpu_topology *t)
{
    struct utsname system;
    char text[256], memory[32];
    put_member(out, "cpu", topology_cpu(t));
    topology_summary(t, text, sizeof text);
    put_member(out, "topology", text);
    put_member(out, "memory_available", memory_text(memory_available(), memory, sizeof memory));
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%s %s %s", system.sysname, system.release, system.machine);
        put_member(out, "system", text);
    }
    cpu_settings cpu;
    cpu_settings_read(&cpu);
    put_known(out, "governor", cpu.governor);
    put_known(out, "turbo", cpu.turbo);
    put_known(out, "smt", cpu.smt);
    put_known(out, "aslr", cpu.aslr);
}

/* A path as seen from the current folder if it is in it: results that are passed on then do not
 * name the folders of a user. */
static const char *seen_from(const char *here, const char *path)
{
    const size_t length = strlen(here);
    if (length == 0 || strncmp(path, here, length) != 0 || path[length] != '/')
        return path;
    return path + length + 1;
}

/* "block=256;pad=1", as in the column params: what each tunable is unless it is set. */
static void put_defaults(FILE *out, const plugin_info *plugin)
{
    fputs(", \"defaults\": \"", out);
    for (size_t i = 0; i < plugin->tunable_count; i++)
        fprintf(out, "%s%s=%" PRId64, i ? ";" : "", plugin->tunables[i].name,
                plugin->tunables[i].default_value);
    fputc('"', out);
}

static void put_plugins(FILE *out, const session_set *set)
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here))
        *here = '\0';
    fputs("      \"plugins\": [", out);
    for (size_t i = 0; i < set->count; i++) {
        const session *one = &set->sessions[i];
        const char *const members[][2] = {
            {"id", one->plugin->id},
            {"version", one->plugin->version},
            {"backend", one->plugin->backend},
            {"reference", one->plugin->reference},
            {"device", one->device.name},
            {"driver", one->device.driver},
            {"status", row_status_word(one->status)},
            {"reason", one->reason},
            {"file", seen_from(here, one->plugin->file)},
            {METADATA_HASH, one->build.hash},
        };
        fputs(i ? ",\n        {" : "\n        {", out);
        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            fprintf(out, "%s\"%s\": ", k ? ", " : "", members[k][0]);
            json_string(out, members[k][1]);
        }
        fprintf(out, ", \"bundled\": %s", one->plugin->bundled ? "true" : "false");
        put_defaults(out, one->plugin);
        fputc('}', out);
    }
    fputs("\n      ]", out);
}

/* The runs of the file that is resumed that still have rows in it. */
static void put_earlier(FILE *out, const metadata_facts *facts)
{
    if (!facts->resume || !facts->before)
        return;
    metadata_walk w = metadata_begin(facts->before, strlen(facts->before));
    for (json_value run; metadata_next(&w, &run);) {
        if (!resume_has_run(facts->resume, json_member(run, "run_id")))
            continue;
        fprintf(out, ",\n    %.*s", (int)run.bytes, run.text);
    }
}

/* What the name of the CSV stands behind. */
#define URL "\n  \"url\": \""

/* The CSVW up to its title: the CSV from its metadata's place, which is the same folder, as a
 * relative URL. */
static void put_opening(FILE *out, const char *csv)
{
    const char *slash = strrchr(csv, '/');
    fputs("{\n  \"@context\": \"http://www.w3.org/ns/csvw\"," URL, out);
    for (const char *at = slash ? slash + 1 : csv; *at; at++)
        fprintf(out, isalnum((unsigned char)*at) || strchr("-._~", *at) ? "%c" : "%%%02X",
                (unsigned char)*at);
    fputs("\",\n", out);
}

/* The title, and the columns. */
static void put_columns(FILE *out, const char *title, const column_list *columns)
{
    fprintf(out, "  \"dc:title\": \"%s, measured by scanbench\",\n", title);
    columns_print_schema(out, columns);
}

/* The title up to the last of the facts of the run, without the comma behind it. */
static void put_head(FILE *out, const metadata_facts *facts)
{
    char hash[FILE_HASH_BYTES];
    put_columns(out, "Times of prefix scans", &row_columns);
    fputs(",\n  \"" METADATA_NOTES "\": [\n    {\n", out);
    fprintf(out, "      \"schema\": %d,\n", ROW_SCHEMA);
    put_member(out, "run_id", facts->results->origin.run_id);
    put_member(out, "scanbench", SCANBENCH_VERSION);
    put_member(out, "git_revision", SCANBENCH_REVISION);
    put_known(out, "commit_date", SCANBENCH_COMMIT_DATE);
    put_known(out, METADATA_HASH, file_hash("/proc/self/exe", hash));
    put_member(out, "compiler", "" __VERSION__);
    put_member(out, "host", facts->results->origin.host);
    put_machine(out, facts->machine);
    fputs("      \"argv\": [", out);
    for (size_t i = 0; facts->argv[i]; i++) {
        fputs(i ? ", " : "", out);
        json_string(out, facts->argv[i]);
    }
    fputs("],\n", out);
    put_plugins(out, facts->set);
}

/* What follows the facts and the warnings. */
static void put_tail(FILE *out, const metadata_facts *facts)
{
    fputs("\n    }", out);
    put_earlier(out, facts);
    fputs("\n  ]\n}\n", out);
}

static void put_warnings(FILE *out, const warnings *w)
{
    const char *comma = "";
    fputs(",\n      \"warnings\": [", out);
    for (int i = 0; i < FLAGS; i++) {
        char text[WARNING_BYTES];
        if (!*warnings_text(w, (circumstance_flag)i, text))
            continue;
        fputs(comma, out);
        json_string(out, text);
        comma = ", ";
    }
    fputc(']', out);
}

static void put_end(FILE *out, const metadata_end *end)
{
    put_warnings(out, end->warnings);
    fprintf(out, ",\n      \"complete\": %s", end->complete ? "true" : "false");
    if (end->bytes)
        fprintf(out, ",\n      \"bytes\": %" PRIu64, end->bytes);
}

/* Writes the text and, unless it is NULL, the end of the run, with the permissions of the CSV. */
static scan_status write_file(const metadata *m, const metadata_end *end, errmsg *error)
{
    char path[PATH_MAX];
    whole_file file;
    if (snprintf(path, sizeof path, "%s" METADATA_ENDING, m->csv) >= PATH_MAX)
        return errmsg_set(error, SCAN_INVALID, "%s: %s", m->csv, strerror(ENAMETOOLONG));
    const scan_status status = whole_file_begin(path, m->csv, &file, error);
    if (status != SCAN_OK)
        return status;
    if (!m->is_whole)
        put_opening(file.out, m->csv);
    fputs(m->head, file.out);
    if (end)
        put_end(file.out, end);
    fputs(m->tail, file.out);
    return whole_file_end(&file, error);
}

/* Makes the two parts of the text, for free; false if out of memory. */
static bool make_text(const metadata_facts *facts, metadata *m)
{
    size_t bytes;
    FILE *head = open_memstream(&m->head, &bytes);
    if (head)
        put_head(head, facts);
    const bool good = head && fclose(head) == 0;
    FILE *tail = open_memstream(&m->tail, &bytes);
    if (tail)
        put_tail(tail, facts);
    return tail && fclose(tail) == 0 && good;
}

bool metadata_has_place(const char *csv)
{
    return csv && strcmp(csv, "-") != 0 && strncmp(csv, "/dev/", 5) != 0 &&
           strncmp(csv, "/proc/", 6) != 0;
}

scan_status metadata_check(const char *csv, errmsg *error)
{
    char name[PATH_MAX];
    if (!metadata_has_place(csv))
        return SCAN_OK;
    if (snprintf(name, sizeof name, "%s" METADATA_ENDING, csv) >= PATH_MAX)
        return errmsg_set(error, SCAN_INVALID, "%s: %s", csv, strerror(ENAMETOOLONG));
    return whole_file_check(name, error);
}

scan_status metadata_copy(const char *csv, const char *to, errmsg *error)
{
    char *text = metadata_read(csv), *url = text ? strstr(text, URL) : NULL;
    char *head = url ? strchr(url + strlen(URL), '\n') : NULL;
    const metadata m = {
        .csv = strdup(to), .head = head ? head + 1 : text, .tail = (char[]){""}, .is_whole = !head};
    scan_status status = SCAN_OK;
    if (text)
        status = m.csv ? write_file(&m, NULL, error)
                       : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    free(m.csv);
    free(text);
    return status;
}

scan_status metadata_move(metadata *m, const char *csv, errmsg *error)
{
    char *moved = m->csv ? strdup(csv) : NULL;
    if (!moved)
        return m->csv ? errmsg_set(error, SCAN_NO_MEMORY, "out of memory") : SCAN_OK;
    free(m->csv);
    m->csv = moved;
    return write_file(m, NULL, error);
}

scan_status metadata_write_samples(const char *samples, errmsg *error)
{
    size_t bytes;
    if (!metadata_has_place(samples))
        return SCAN_OK;
    metadata m = {.csv = strdup(samples), .tail = strdup("\n}\n")};
    FILE *head = open_memstream(&m.head, &bytes);
    if (head)
        put_columns(head, "Samples of times of prefix scans", &sample_columns);
    const scan_status status = head && fclose(head) == 0 && m.csv && m.tail
                                   ? write_file(&m, NULL, error)
                                   : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    metadata_free(&m);
    return status;
}

scan_status metadata_write(const output_options *o, const metadata_facts *facts,
                           metadata *metadata_p, errmsg *error)
{
    metadata m = {.csv = metadata_has_place(o->csv) ? strdup(o->csv) : NULL};
    scan_status status = SCAN_OK;
    if (metadata_has_place(o->csv))
        status = m.csv && make_text(facts, &m) ? write_file(&m, NULL, error)
                                               : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        *metadata_p = m;
    else
        metadata_free(&m);
    return status == SCAN_OK ? metadata_write_samples(o->samples, error) : status;
}

scan_status metadata_finish(const metadata *m, const metadata_end *end, errmsg *error)
{
    return m->csv ? write_file(m, end, error) : SCAN_OK;
}

void metadata_free(metadata *m)
{
    free(m->csv);
    free(m->head);
    free(m->tail);
    *m = (metadata){0};
}
