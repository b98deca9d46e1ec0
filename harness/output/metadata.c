#include "output/metadata.h"

#include "system/cpu_settings.h"
#include "system/json.h"
#include "system/json_walk.h"
#include "system/memory.h"
#include "version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "  \"%s\": ", name);
    json_string(out, text);
    fputs(",\n", out);
}

/* What is unknown is absent. */
static void put_known(FILE *out, const char *name, const char *text)
{
    if (*text)
        put_member(out, name, text);
}

void metadata_hash(const char *path, char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    FILE *file = fopen(path, "rbe");
    *text = '\0';
    if (!file)
        return;
    unsigned char piece[65536];
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ piece[i]) * 0x100000001b3u;
    fclose(file);
    snprintf(text, size, "%016" PRIx64, hash);
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

static void put_plugins(FILE *out, const session_set *set)
{
    fputs("  \"plugins\": [", out);
    for (size_t i = 0; i < set->count; i++) {
        const session *one = &set->sessions[i];
        char hash[24];
        metadata_hash(one->plugin->file, hash, sizeof hash);
        const char *const members[][2] = {
            {"id", one->plugin->id},
            {"version", one->plugin->version},
            {"backend", one->plugin->backend},
            {"reference", one->plugin->reference},
            {"device", one->device.name},
            {"driver", one->device.driver},
            {"status", row_status_word(one->status)},
            {"reason", one->reason},
            {"file", one->plugin->file},
            {"fnv1a64", hash},
        };
        fputs(i ? ",\n    {" : "\n    {", out);
        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            fprintf(out, "%s\"%s\": ", k ? ", " : "", members[k][0]);
            json_string(out, members[k][1]);
        }
        fputc('}', out);
    }
    fputs("\n  ]", out);
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
    const char *separator = ",\n  \"" METADATA_EARLIER "\": [\n";
    const json_value last = json_whole(facts->before, strlen(facts->before));
    json_walk earlier = json_begin(json_member(last, METADATA_EARLIER));
    json_value run = last;
    bool more = last.text != NULL, any = false;
    for (; more; more = json_next(&earlier), run = earlier.value) {
        const json_value id = json_member(run, "run_id");
        if (id.bytes < 3 || !resume_has_run(facts->resume, id.text + 1, id.bytes - 2))
            continue;
        fputs(separator, out);
        put_run(out, run);
        separator = ",\n";
        any = true;
    }
    if (any)
        fputs("\n  ]", out);
}

static void put_facts(FILE *out, const metadata_facts *facts)
{
    char hash[24];
    fputs("{\n", out);
    fprintf(out, "  \"schema\": %d,\n", RESULT_CSV_SCHEMA);
    put_member(out, "run_id", facts->results->run_id);
    put_member(out, "scanbench", SCANBENCH_VERSION);
    put_member(out, "git_revision", SCANBENCH_REVISION);
    metadata_hash("/proc/self/exe", hash, sizeof hash);
    put_known(out, "fnv1a64", hash);
    put_member(out, "compiler", "" __VERSION__);
    put_member(out, "host", facts->results->host);
    put_machine(out, facts->machine);
    fputs("  \"argv\": [", out);
    for (size_t i = 0; facts->argv[i]; i++) {
        fputs(i ? ", " : "", out);
        json_string(out, facts->argv[i]);
    }
    fputs("],\n", out);
    put_plugins(out, facts->set);
    put_earlier(out, facts);
}

static void put_warnings(FILE *out, const warnings *w)
{
    const char *comma = "";
    fputs(",\n  \"warnings\": [", out);
    for (int i = 0; i < REMARKS; i++) {
        char text[WARNING_BYTES];
        if (!*warnings_text(w, (remark)i, text))
            continue;
        fputs(comma, out);
        json_string(out, text);
        comma = ", ";
    }
    fputc(']', out);
}

/* Writes the text, and the warnings unless they are NULL. The file is whole at any time. */
static scan_status write_file(const metadata *m, const warnings *w, errmsg *error)
{
    char *path;
    if (asprintf(&path, "%s.new", m->path) < 0)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    FILE *out = fopen(path, "we");
    if (out) {
        fputs(m->text, out);
        if (w)
            put_warnings(out, w);
        fputs("\n}\n", out);
    }
    bool bad = !out || ferror(out);
    if (out && fclose(out) != 0)
        bad = true;
    scan_status status = SCAN_OK;
    if (bad)
        status = errmsg_set(error, SCAN_ERROR, "%s cannot be written: %s", path, strerror(errno));
    else if (rename(path, m->path) != 0)
        status = errmsg_set(error, SCAN_ERROR, "%s cannot be renamed to %s: %s", path, m->path,
                            strerror(errno));
    free(path);
    return status;
}

char *metadata_read(const char *csv)
{
    char *path, *text = NULL;
    size_t bytes = 0;
    if (asprintf(&path, "%s-metadata.json", csv) < 0)
        return NULL;
    FILE *in = fopen(path, "re");
    FILE *out = in ? open_memstream(&text, &bytes) : NULL;
    for (int c; out && (c = getc(in)) != EOF;)
        putc(c, out);
    if (out)
        fclose(out);
    if (in)
        fclose(in);
    free(path);
    return text;
}

scan_status metadata_write(const char *csv, const metadata_facts *facts, metadata *metadata_p,
                           errmsg *error)
{
    metadata m = {0};
    size_t bytes;
    if (!csv || strcmp(csv, "-") == 0 || strncmp(csv, "/dev/", 5) == 0)
        return SCAN_OK;
    FILE *text = open_memstream(&m.text, &bytes);
    bool good = text && asprintf(&m.path, "%s-metadata.json", csv) >= 0;
    if (good)
        put_facts(text, facts);
    else
        m.path = NULL; /* asprintf leaves it undefined */
    if (text && fclose(text) != 0)
        good = false;
    scan_status status =
        good ? write_file(&m, NULL, error) : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        *metadata_p = m;
    else
        metadata_free(&m);
    return status;
}

scan_status metadata_finish(const metadata *m, const warnings *w, errmsg *error)
{
    return m->path ? write_file(m, w, error) : SCAN_OK;
}

void metadata_free(metadata *m)
{
    free(m->path);
    free(m->text);
    *m = (metadata){0};
}
