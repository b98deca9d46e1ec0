#include "output/metadata.h"

#include "output/columns.h"
#include "system/file_identity.h"
#include "system/machine_state.h"
#include "system/memory.h"
#include "system/whole_file.h"
#include "text/json.h"
#include "version.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

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
        put_defaults(out, one->plugin);
        fputc('}', out);
    }
    fputs("\n      ]", out);
}

/* An object without what it says of still earlier runs. */
static void put_run(FILE *out, json_value run)
{
    const char *comma = "";
    fputs("    {", out);
    for (json_walk w = json_begin(run); json_next(&w);) {
        if (json_is(w.name, METADATA_EARLIER))
            continue;
        fprintf(out, "%s%.*s: %.*s", comma, (int)w.name.bytes, w.name.text, (int)w.value.bytes,
                w.value.text);
        comma = ", ";
    }
    fputc('}', out);
}

/* The runs of the file that is resumed that still have rows in it. */
static void put_earlier(FILE *out, const metadata_facts *facts)
{
    if (!facts->resume || !facts->before)
        return;
    metadata_walk w = metadata_begin(facts->before, strlen(facts->before));
    for (json_value run; metadata_next(&w, &run);) {
        const json_value id = json_member(run, "run_id");
        if (id.bytes < 3 || !resume_has_run(facts->resume, id.text + 1, id.bytes - 2))
            continue;
        fputs(",\n", out);
        put_run(out, run);
    }
}

/* The CSV from its metadata's place, which is the same folder, as a relative URL. */
#define URL "\n  \"url\": \""

static void put_url(FILE *out, const char *csv)
{
    const char *slash = strrchr(csv, '/');
    fputs(URL, out);
    for (const char *at = slash ? slash + 1 : csv; *at; at++)
        fprintf(out, isalnum((unsigned char)*at) || strchr("-._~", *at) ? "%c" : "%%%02X",
                (unsigned char)*at);
    fputs("\",\n", out);
}

/* The CSVW up to its columns. */
static void put_opening(FILE *out, const char *csv, const char *title)
{
    fputs("{\n  \"@context\": \"http://www.w3.org/ns/csvw\",", out);
    put_url(out, csv);
    fprintf(out, "  \"dc:title\": \"%s\",\n", title);
}

/* The CSVW up to the last of the facts of the run, without the comma behind it. */
static void put_head(FILE *out, const char *csv, const metadata_facts *facts)
{
    char hash[FILE_HASH_BYTES];
    put_opening(out, csv, "Times of prefix scans, measured by scanbench");
    columns_print_schema(out, &row_columns);
    fputs(",\n  \"" METADATA_NOTES "\": [\n    {\n", out);
    fprintf(out, "      \"schema\": %d,\n", ROW_SCHEMA);
    put_member(out, "run_id", facts->results->origin.run_id);
    put_member(out, "scanbench", SCANBENCH_VERSION);
    put_member(out, "git_revision", SCANBENCH_REVISION);
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

/* Writes the text, and the warnings unless they are NULL, with the permissions of the CSV. */
static scan_status write_file(const metadata *m, const char *csv, const warnings *w, errmsg *error)
{
    whole_file file;
    scan_status status = whole_file_begin(m->path, csv, &file, error);
    if (status != SCAN_OK)
        return status;
    fputs(m->head, file.out);
    if (w)
        put_warnings(file.out, w);
    fputs(m->tail, file.out);
    return whole_file_end(&file, error);
}

/* Makes the two parts of the text; false if out of memory. */
static bool make_text(const char *csv, const metadata_facts *facts, metadata *m)
{
    size_t bytes;
    FILE *head = open_memstream(&m->head, &bytes);
    if (head)
        put_head(head, csv, facts);
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

/* The text with the URL of another CSV, for free; NULL without memory. */
static char *with_url(const char *text, const char *csv)
{
    char *made = NULL;
    size_t bytes;
    FILE *out = open_memstream(&made, &bytes);
    const char *url = strstr(text, URL);
    const char *end = url ? strchr(url + strlen(URL), '\n') : NULL;
    if (!out)
        return NULL;
    fwrite(text, 1, end ? (size_t)(url - text) : 0, out);
    if (end)
        put_url(out, csv);
    fputs(end ? end + 1 : text, out);
    if (fclose(out) == 0)
        return made;
    free(made);
    return NULL;
}

scan_status metadata_copy(const char *csv, const char *to, errmsg *error)
{
    char *before = metadata_read(csv), *text = before ? with_url(before, to) : NULL;
    metadata m = {.head = text, .tail = (char[]){""}};
    scan_status status = SCAN_OK;
    if (before && (!text || asprintf(&m.path, "%s" METADATA_ENDING, to) < 0)) {
        m.path = NULL;
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    if (m.path)
        status = write_file(&m, to, NULL, error);
    free(m.path);
    free(text);
    free(before);
    return status;
}

scan_status metadata_move(metadata *m, const char *csv, errmsg *error)
{
    if (!m->path)
        return SCAN_OK;
    metadata moved = {.head = with_url(m->head, csv), .tail = strdup(m->tail), .csv = strdup(csv)};
    if (asprintf(&moved.path, "%s" METADATA_ENDING, csv) < 0)
        moved.path = NULL;
    if (!moved.head || !moved.tail || !moved.csv || !moved.path) {
        metadata_free(&moved);
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    }
    const scan_status status = write_file(&moved, csv, NULL, error);
    metadata_free(m);
    *m = moved;
    return status;
}

scan_status metadata_write(const char *csv, const metadata_facts *facts, metadata *metadata_p,
                           errmsg *error)
{
    metadata m = {0};
    if (!metadata_has_place(csv))
        return SCAN_OK;
    bool good = asprintf(&m.path, "%s" METADATA_ENDING, csv) >= 0;
    if (!good)
        m.path = NULL; /* asprintf leaves it undefined */
    m.csv = strdup(csv);
    good = good && m.csv && make_text(csv, facts, &m);
    scan_status status = good ? write_file(&m, csv, NULL, error)
                              : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        *metadata_p = m;
    else
        metadata_free(&m);
    return status;
}

scan_status metadata_write_samples(const char *samples, errmsg *error)
{
    metadata m = {.tail = (char[]){"\n}\n"}};
    size_t bytes;
    if (!metadata_has_place(samples))
        return SCAN_OK;
    if (asprintf(&m.path, "%s" METADATA_ENDING, samples) < 0)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    FILE *head = open_memstream(&m.head, &bytes);
    if (head) {
        put_opening(head, samples, "Samples of times of prefix scans, measured by scanbench");
        columns_print_schema(head, &sample_columns);
    }
    scan_status status = head && fclose(head) == 0
                             ? write_file(&m, samples, NULL, error)
                             : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    free(m.head);
    free(m.path);
    return status;
}

scan_status metadata_finish(const metadata *m, const warnings *w, errmsg *error)
{
    return m->path ? write_file(m, m->csv, w, error) : SCAN_OK;
}

void metadata_free(metadata *m)
{
    free(m->path);
    free(m->csv);
    free(m->head);
    free(m->tail);
    *m = (metadata){0};
}
