#include "output/metadata.h"

#include "system/json.h"
#include "system/memory.h"
#include "version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/utsname.h>

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "  \"%s\": ", name);
    json_string(out, text);
    fputs(",\n", out);
}

/* The first line of a file, "" if there is none. */
static void first_line(const char *path, char *text, size_t size)
{
    *text = '\0';
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fgets(text, (int)size, file))
        text[strcspn(text, "\n")] = '\0';
    fclose(file);
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
    first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    put_member(out, "governor", *text ? text : "not reported");
    first_line("/proc/sys/kernel/randomize_va_space", text, sizeof text);
    bool off = personality(0xffffffff) & ADDR_NO_RANDOMIZE;
    put_member(out, "aslr", off || strcmp(text, "0") == 0 ? "off" : "on");
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
    fputs("\n  ]\n", out);
}

scan_status metadata_write(const char *csv, const result_csv *results, const session_set *set,
                           const cpu_topology *machine, char *const *argv, errmsg *error)
{
    if (!csv || strcmp(csv, "-") == 0 || strncmp(csv, "/dev/", 5) == 0)
        return SCAN_OK;
    char *path = NULL;
    if (asprintf(&path, "%s-metadata.json", csv) < 0)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    FILE *out = fopen(path, "we");
    if (out) {
        fputs("{\n", out);
        fprintf(out, "  \"schema\": %d,\n", RESULT_CSV_SCHEMA);
        put_member(out, "run_id", results->run_id);
        put_member(out, "scanbench", SCANBENCH_VERSION);
        put_member(out, "git_revision", SCANBENCH_REVISION);
        put_member(out, "compiler", "" __VERSION__);
        put_member(out, "host", results->host);
        put_machine(out, machine);
        fputs("  \"argv\": [", out);
        for (size_t i = 0; argv[i]; i++) {
            fputs(i ? ", " : "", out);
            json_string(out, argv[i]);
        }
        fputs("],\n", out);
        put_plugins(out, set);
        fputs("}\n", out);
    }
    bool bad = !out || ferror(out);
    if (out && fclose(out) != 0)
        bad = true;
    if (bad)
        errmsg_set(error, SCAN_INVALID, "%s cannot be written: %s", path, strerror(errno));
    free(path);
    return bad ? SCAN_ERROR : SCAN_OK;
}
