/*
 * outcome_json.c - a proof as one JSON object: a list of claims, then their counts
 */
#include "proof/outcome.h"

#include "system/json.h"
#include "version.h"

#include <inttypes.h>

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    json_string(out, text);
}

void proof_json_begin(FILE *out, uint64_t seed)
{
    fprintf(out, "{\"schema\": 1, \"scanbench\": \"%s\", \"seed\": %" PRIu64 ", \"claims\": [",
            SCANBENCH_VERSION, seed);
}

static void put_fact(FILE *out, const char *key, const char *text, bool is_number)
{
    if (is_number)
        fprintf(out, ", \"%s\": %s", key, text);
    else
        put_text(out, key, text);
}

void proof_json_outcome(FILE *out, const proof_outcome *outcome)
{
    static const char *const results[] = {
        [PROOF_OK] = "passed", [PROOF_SKIPPED] = "skipped", [PROOF_FAILED] = "failed"};
    const proof *p = outcome->proof;
    const session *l = p->session;
    fprintf(out, "%s\n  {\"number\": %zu", outcome->number > 1 ? "," : "", outcome->number);
    put_text(out, "result", results[outcome->verdict]);
    put_text(out, "text", outcome->text);
    put_text(out, "plugin", l->plugin->id);
    put_text(out, "file", l->plugin->file);
    if (p->claim->scope != PROOF_PER_FILE && *l->device.name)
        put_text(out, "device", l->device.name);
    if (p->claim->scope == PROOF_PER_OP && p->dtype < SCAN_DTYPE_COUNT) {
        put_text(out, "dtype", dtype_name(p->dtype));
        if (l->plugin->role != SCAN_ROLE_CEILING)
            put_text(out, "op", op_name(p->op));
    }
    fprintf(out, ", \"runs\": %zu, \"seconds\": %.3f", p->jobs, outcome->seconds);
    if (outcome->verdict == PROOF_FAILED)
        proof_explain(p, out, put_fact);
    else
        put_text(out, "claim", p->claim->name);
    if (outcome->verdict == PROOF_SKIPPED)
        put_text(out, "reason", p->skipped);
    fprintf(out, ", \"refused\": %zu, \"left_out\": %zu, \"late\": %zu", p->own.refused,
            p->own.left_out, p->own.late);
    if (p->own.refused > 0)
        put_text(out, "first_refused", p->own.refusal);
    fputc('}', out);
    fflush(out);
}

void proof_json_extent(FILE *out, const proof_extent *extent)
{
    const proof_reach *r = extent->reach;
    const plugin_info *plugin = extent->session->plugin;
    char types[REACH_TEXT_BYTES] = "";
    FILE *text = fmemopen(types, sizeof types, "w");
    if (text) {
        reach_put_types(text, r);
        fclose(text);
    }
    fputs(extent->is_first ? "\n], \"extent\": [\n  {" : ",\n  {", out);
    fputs("\"plugin\": ", out);
    json_string(out, plugin->id);
    put_text(out, "device", extent->session->device.name);
    fprintf(out, ", \"runs\": %zu, \"max_n\": %" PRIu64, r->passed, r->largest_n);
    put_text(out, "types", types);
    fputs(", \"settings\": {", out);
    for (size_t i = 0; i < plugin->tunable_count && r->passed > 0; i++) {
        fputs(i ? ", " : "", out);
        json_string(out, plugin->tunables[i].name);
        fprintf(out, ": [%" PRId64 ", %" PRId64 "]", r->settings[i].least, r->settings[i].greatest);
    }
    fprintf(out, "}, \"refused\": %zu, \"left_out\": %zu, \"late\": %zu", r->refused, r->left_out,
            r->late);
    if (r->refused > 0)
        put_text(out, "first_refused", r->refusal);
    if (*r->beyond)
        put_text(out, "not_reached", r->beyond);
    fputc('}', out);
}

void proof_json_end(FILE *out, const proof_summary *s)
{
    fprintf(out,
            "\n], \"planned\": %zu, \"passed\": %zu, \"failed\": %zu, \"skipped\": %zu, "
            "\"interrupted\": %s}\n",
            s->planned, s->passed, s->failed, s->skipped, s->interrupted ? "true" : "false");
    fflush(out);
}
