#include "proof_report.h"

#include "proof_traps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

typedef struct facts {
    proof_fact *all;
    size_t count;
} facts;

SCAN_PRINTF(4, 5)
static void add(facts *f, const char *key, bool is_number, const char *format, ...)
{
    proof_fact *fact = &f->all[f->count++];
    va_list arguments;
    fact->key = key;
    fact->is_number = is_number;
    va_start(arguments, format);
    vsnprintf(fact->text, sizeof fact->text, format, arguments);
    va_end(arguments);
}

static bool is_job_of_a_claim(const job *j)
{
    return j->mode == JOB_BEHAVE || j->in_place || j->misalign || j->repeat > 1;
}

/* A path as a shell takes it. */
static void put_path(FILE *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@";
    if (path[strspn(path, plain)] == '\0') {
        fputs(path, out);
        return;
    }
    fputc('"', out);
    for (const char *c = path; *c; c++)
        fprintf(out, strchr("\"\\$`", *c) ? "\\%c" : "%c", *c);
    fputc('"', out);
}

/* The command that does the failed job again: the claim, where --sizes does not say all
 * of it. */
static void add_command(facts *f, const proof *p, const proof_claim *claim)
{
    const job *j = &p->failure.job;
    const catalog_plugin *plugin = p->lane->plugin;
    char text[900];
    FILE *command = fmemopen(text, sizeof text, "w");
    if (!command)
        return;
    fputs("scanbench validate ", command);
    put_path(command, plugin->file);
    if (p->lane->device_index > 0)
        fprintf(command, " --device %" PRIu32, p->lane->device_index);
    if (!p->failure.has_job) {
        fprintf(command, " --claims %s", claim->name);
    } else if (is_job_of_a_claim(j)) {
        fprintf(command, " --claims %s --seed %" PRIu64, claim->name, j->seed);
    } else {
        fprintf(command, " --types %s", dtype_name(j->dtype));
        if (plugin->role != SCAN_ROLE_CEILING)
            fprintf(command, " --ops %s --kinds %s", op_name(j->op), kind_name(j->kind));
        fprintf(command, " --sizes %" PRIu64 " --seed %" PRIu64 " --pattern %s", j->n, j->seed,
                pattern_name(j->pattern));
        if (j->pattern == INPUT_IMPULSE)
            fprintf(command, ":%" PRIu64, j->position);
        for (uint32_t i = 0; i < j->tunable_count; i++)
            fprintf(command, " --set %s=%" PRId64, plugin->tunables[i].name, j->tunables[i]);
    }
    fclose(command);
    add(f, "repeat", false, "%s", text);
}

size_t proof_explain(const proof_outcome *outcome, proof_fact facts_p[PROOF_FACTS])
{
    const proof *p = outcome->proof;
    const lane_result *r = &p->failure.result;
    const job *j = &p->failure.job;
    facts f = {.all = facts_p};
    add(&f, "claim", false, "%s", outcome->claim->name);
    add(&f, "status", false, "%s", r->status);
    add(&f, "reason", false, "%s", r->reason);
    if (*r->first_bad) {
        add(&f, "first_bad_index", true, "%s", r->first_bad);
        add(&f, "got", false, "%s", r->got);
        add(&f, "expected", false, "%s", r->expected);
    }
    if (p->failure.has_job)
        add(&f, "seed", true, "%" PRIu64, j->seed);
    if (p->failure.has_job && is_job_of_a_claim(j) && j->mode != JOB_BEHAVE)
        add(&f, "with", false, "in_place=%u misalign=%u repeat=%u", j->in_place, j->misalign,
            j->repeat);
    add(&f, "looks_like", false, "%s", proof_trap(p, outcome->claim));
    add_command(&f, p, outcome->claim);
    return f.count;
}
