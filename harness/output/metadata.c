#include "output/metadata.h"

#include "system/cpu_settings.h"
#include "system/json.h"
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

/* The 64-bit FNV-1a hash of a plugin file, which tells two builds apart. */
static void hash_file(const char *path, char *text, size_t size)
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
        hash_file(one->plugin->file, hash, sizeof hash);
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

static void put_facts(FILE *out, const metadata_facts *facts)
{
    fputs("{\n", out);
    fprintf(out, "  \"schema\": %d,\n", RESULT_CSV_SCHEMA);
    put_member(out, "run_id", facts->results->run_id);
    put_member(out, "scanbench", SCANBENCH_VERSION);
    put_member(out, "git_revision", SCANBENCH_REVISION);
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

/* Writes the text, and the warnings unless they are NULL. */
static scan_status write_file(const char *path, const char *text, const warnings *w, errmsg *error)
{
    FILE *out = fopen(path, "we");
    if (out) {
        fputs(text, out);
        if (w)
            put_warnings(out, w);
        fputs("\n}\n", out);
    }
    bool bad = !out || ferror(out);
    if (out && fclose(out) != 0)
        bad = true;
    if (bad)
        return errmsg_set(error, SCAN_ERROR, "%s cannot be written: %s", path, strerror(errno));
    return SCAN_OK;
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
    scan_status status = good ? write_file(m.path, m.text, NULL, error)
                              : errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    if (status == SCAN_OK)
        *metadata_p = m;
    else
        metadata_free(&m);
    return status;
}

scan_status metadata_finish(const metadata *m, const warnings *w, errmsg *error)
{
    char *path = NULL;
    if (!m->path)
        return SCAN_OK;
    if (asprintf(&path, "%s.new", m->path) < 0)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    scan_status status = write_file(path, m->text, w, error);
    if (status == SCAN_OK && rename(path, m->path) != 0)
        status = errmsg_set(error, SCAN_ERROR, "%s cannot be renamed to %s: %s", path, m->path,
                            strerror(errno));
    free(path);
    return status;
}

void metadata_free(metadata *m)
{
    free(m->path);
    free(m->text);
    *m = (metadata){0};
}
