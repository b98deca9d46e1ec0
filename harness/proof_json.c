#include "proof_report.h"

#include "json.h"
#include "version.h"

#include <inttypes.h>

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    json_string(out, text);
}

void proof_json_begin(FILE *out, const options *o)
{
    fprintf(out, "{\"schema\": 1, \"scanbench\": \"%s\", \"seed\": %" PRIu64 ", \"checks\": [",
            SCANBENCH_VERSION, o->seed);
}

void proof_json_outcome(FILE *out, const proof_outcome *outcome)
{
    static const char *const results[] = {[PROOF_OK] = "passed",
                                          [PROOF_SKIPPED] = "skipped",
                                          [PROOF_FAILED] = "failed",
                                          [PROOF_INTERRUPTED] = "interrupted"};
    const lane *l = outcome->proof->lane;
    proof_fact facts[PROOF_FACTS];
    fprintf(out, "%s\n  {\"number\": %zu", outcome->number > 1 ? "," : "", outcome->number);
    put_text(out, "result", results[outcome->verdict]);
    put_text(out, "text", outcome->text);
    put_text(out, "plugin", l->plugin->id);
    put_text(out, "file", l->plugin->file);
    if (outcome->claim->scope != PROOF_PER_FILE && *l->device.name)
        put_text(out, "device", l->device.name);
    if (outcome->claim->scope == PROOF_PER_OP) {
        put_text(out, "dtype", dtype_name(outcome->dtype));
        if (l->plugin->role != SCAN_ROLE_CEILING)
            put_text(out, "op", op_name(outcome->op));
    }
    fprintf(out, ", \"runs\": %zu, \"seconds\": %.3f", outcome->proof->jobs, outcome->seconds);
    size_t count = outcome->verdict == PROOF_FAILED ? proof_explain(outcome, facts) : 0;
    if (count == 0)
        put_text(out, "claim", outcome->claim->name);
    if (outcome->verdict == PROOF_SKIPPED)
        put_text(out, "reason", outcome->proof->failure.result.reason);
    for (size_t i = 0; i < count; i++)
        if (facts[i].is_number)
            fprintf(out, ", \"%s\": %s", facts[i].key, facts[i].text);
        else
            put_text(out, facts[i].key, facts[i].text);
    fputc('}', out);
    fflush(out);
}

void proof_json_end(FILE *out, const proof_summary *s)
{
    fprintf(out,
            "\n], \"planned\": %zu, \"passed\": %zu, \"failed\": %zu, \"skipped\": %zu, "
            "\"interrupted\": %s}\n",
            s->planned, s->passed, s->failed, s->skipped, s->interrupted ? "true" : "false");
    fflush(out);
}
