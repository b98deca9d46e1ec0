/*
 * outcome.c - a proof as TAP version 13, with a YAML block after each failure, and as one JSON
 * object: a list of claims, then their counts
 */
#include "proof/outcome.h"

#include "problem/element.h"
#include "problem/names.h"
#include "scan_parts.h"
#include "text/json.h"
#include "text/shell_quote.h"
#include "text/utf8.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the facts about a failure, in the order in which people ask for them ----------- */

/* Called for each fact, with its key in TAP and JSON. */
typedef void (*proof_fact)(FILE *out, const char *key, const char *text, bool is_number);

static void tell_number(FILE *out, proof_fact tell, const char *key, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    tell(out, key, text, true);
}

/* Is the claim needed to repeat the failure, because --sizes cannot express the configuration? */
static bool is_of_a_claim(const proof *p)
{
    const job *j = &p->failure.job;
    return !p->failure.has_job || j->mode == JOB_BEHAVE || j->run.in_place || j->run.misalign ||
           j->run.misalign_out || j->run.fence || j->run.repeat > 1;
}

static void put_configuration(FILE *command, const proof *p)
{
    const job *j = &p->failure.job;
    const plugin_info *plugin = p->session->plugin;
    char shape[JOB_SHAPE_BYTES];
    fprintf(command, " --types %s", dtype_name(j->dtype));
    if (j->result)
        fprintf(command, " --results %s", dtype_name(job_result_type(j)));
    if (plugin->role != SCAN_ROLE_CEILING)
        fprintf(command, " --ops %s --kinds %s", op_name(j->op), kind_name(j->kind));
    fprintf(command, " --sizes %" PRIu64 "%s --seed %" PRIu64 " --pattern %s", j->n,
            job_shape_text(j, " --rows ", " --inner ", shape), j->seed,
            pattern_name(j->run.pattern));
    if (j->run.pattern == INPUT_IMPULSE || j->run.pattern == INPUT_NAN)
        fprintf(command, ":%" PRIu64, j->run.position);
    for (uint32_t i = 0; i < j->tunable_count; i++)
        fprintf(command, " --set %s=%" PRId64, plugin->tunables[i].name, j->tunables[i]);
}

/* An option with its list, unless that is all `most` words. */
static void put_words(FILE *command, const char *option, const uint32_t *values, size_t count,
                      size_t most, const char *(*name_of)(uint32_t))
{
    for (size_t i = 0; count < most && i < count; i++)
        fprintf(command, "%s%s%s", i ? "," : option, i ? "" : " ", name_of(values[i]));
}

static void put_claim(FILE *command, const proof *p)
{
    const range_list *parts = settings_find(p->s, SCAN_PARTS_TUNABLE);
    const settings *s = p->s;
    fprintf(command, " --claims %s", p->claim->name);
    put_words(command, " --types", s->types, s->type_count, SCAN_DTYPE_COUNT, dtype_name);
    put_words(command, " --results", s->results, s->result_count, SETTINGS_RESULT_WORDS,
              settings_result_word);
    put_words(command, " --ops", s->ops, s->op_count, SCAN_OP_COUNT, op_name);
    put_words(command, " --kinds", s->kinds, s->kind_count, SCAN_KIND_COUNT, kind_name);
    for (size_t i = 0; parts && i < parts->count; i++)
        fprintf(command, "%s%" PRId64, i ? "," : " --parts ", parts->values[i]);
    if (p->s->seed != OPTIONS_SEED)
        fprintf(command, " --seed %" PRIu64, p->s->seed);
    if (p->o->max_n != OPTIONS_MAX_N)
        fprintf(command, " --max-n %" PRIu64, p->o->max_n);
}

/* Tells the command that repeats the failure: with --claims if --sizes cannot express it. */
static void tell_command(FILE *out, proof_fact tell, const proof *p)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *command = open_memstream(&text, &bytes);
    if (!command)
        return;
    shell_quote_put(command, p->program);
    fputs(" validate ", command);
    shell_quote_put(command, p->session->plugin->file);
    if (p->session->launcher) {
        fputs(" --launcher ", command);
        shell_quote_put(command, p->session->launcher);
    }
    if (p->session->device_index > 0)
        fprintf(command, " --device %" PRIu32, p->session->device_index);
    if (is_of_a_claim(p))
        put_claim(command, p);
    else
        put_configuration(command, p);
    if (p->session->timeout_s < OPTIONS_TIMEOUT_S || p->session->timeout_s > OPTIONS_TIMEOUT_S)
        fprintf(command, " --timeout %g", p->session->timeout_s);
    if (p->required)
        fprintf(command, " --require %s", p->session->plugin->id);
    if (fclose(command) == 0)
        tell(out, "repeat", text, false);
    free(text);
}

/* Which configuration it was, where the command repeats the whole claim. */
static void tell_conditions(const proof *p, FILE *out, proof_fact tell)
{
    static const char *const fences[FENCE_COUNT] = {"none", "front", "behind"};
    const job *j = &p->failure.job;
    const bool ceiling = p->session->plugin->role == SCAN_ROLE_CEILING;
    char scan[JOB_SCAN_BYTES], shape[JOB_SHAPE_BYTES];
    char problem[JOB_SCAN_BYTES + 24 + JOB_SHAPE_BYTES], text[FAULT_SENTENCE_BYTES];
    snprintf(problem, sizeof problem, "%s n=%" PRIu64 "%s", job_scan_text(j, ceiling, scan), j->n,
             job_shape_text(j, " rows=", " inner=", shape));
    if (p->failure.runs > 0)
        snprintf(text, sizeof text, "%s run=%" PRIu64 " of %u", problem, p->failure.runs,
                 j->run.repeat);
    else if (j->mode == JOB_CHECK)
        snprintf(text, sizeof text, "%s in_place=%u misalign=%u,%u fence=%s repeat=%u", problem,
                 j->run.in_place, j->run.misalign, j->run.misalign_out, fences[j->run.fence],
                 j->run.repeat);
    else
        snprintf(text, sizeof text, "%s", problem);
    tell(out, "with", text, false);
}

static void explain(const proof *p, FILE *out, proof_fact tell)
{
    const fault *f = &p->failure.fault;
    const job *j = &p->failure.job;
    char text[FAULT_SENTENCE_BYTES];
    tell(out, "claim", p->claim->name, false);
    tell(out, "status", row_status_word(p->failure.status), false);
    tell(out, "fault", fault_word(f->code), false);
    tell(out, "reason", fault_text(f, text, sizeof text), false);
    if (fault_has_element(f)) {
        tell_number(out, tell, "first_bad_index", f->index);
        tell(out, "got", element_text(f->dtype, &f->got, text, sizeof text), false);
        tell(out, "expected", element_text(f->dtype, &f->expected, text, sizeof text), false);
    }
    if (p->failure.has_job && j->result && p->claim->scope != PROOF_PER_OP)
        tell(out, "types", job_types_text(j, text), false);
    if (p->failure.has_job)
        tell_number(out, tell, "seed", f->seed ? f->seed : j->seed);
    if (p->failure.has_job && is_of_a_claim(p))
        tell_conditions(p, out, tell);
    tell(out, "looks_like", proof_diagnose(p), false);
    tell_command(out, tell, p);
}

/* Writes the types and operators that were right: "i32 i32->i64 u32 sum, i32 max". */
static void put_types(FILE *out, const proof_reach *r)
{
    const char *between = "";
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
        bool any = false;
        for (uint32_t i = 0; i < SCAN_DTYPE_COUNT * SCAN_DTYPE_COUNT; i++) {
            const uint32_t dtype = i / SCAN_DTYPE_COUNT, result = (dtype + i) % SCAN_DTYPE_COUNT;
            const job j = {.dtype = dtype, .result = result == dtype ? 0 : RESULT_OF(result)};
            char types[JOB_TYPES_BYTES];
            if ((r->types[op][dtype] & SCAN_BIT(result)) == 0)
                continue;
            fprintf(out, "%s%s", any ? " " : between, job_types_text(&j, types));
            any = true;
            between = ", ";
        }
        if (any)
            fprintf(out, " %s", op_name(op));
    }
}

/* ---- TAP ---------------------------------------------------------------------- */

/* May a character end a line, or command a terminal or a reader? */
static bool is_control(const char *c)
{
    return utf8_is_control(c, utf8_bytes(c));
}

static bool is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if (is_control(c))
            return false;
    return utf8_is_valid(text);
}

/* Writes a YAML value on one line: in single quotes, if those can hold it, else as JSON does. */
static void put_quoted(FILE *out, const char *text)
{
    if (!is_plain(text)) {
        json_string(out, text);
        return;
    }
    fputc('\'', out);
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputc('\'', out);
        fputc(*c, out);
    }
    fputc('\'', out);
}

/* Writes text for a line of TAP: without what ends the line or is not UTF-8. */
static void put_line(FILE *out, const char *text, const char *escaped)
{
    for (const char *c = text; *c;) {
        const size_t bytes = utf8_bytes(c);
        if (strchr(escaped, *c))
            fputc('\\', out);
        if (bytes == 0 || is_control(c))
            fputc('?', out);
        else
            fwrite(c, 1, bytes, out);
        c += bytes > 0 ? bytes : 1;
    }
}

/* Behind a claim, where # begins a directive. */
static void put_description(FILE *out, const char *text)
{
    put_line(out, text, "#\\");
}

static void put_yaml(FILE *out, const char *key, const char *text, bool is_number)
{
    fprintf(out, "  %s: ", key);
    if (is_number)
        fputs(text, out);
    else
        put_quoted(out, text);
    fputc('\n', out);
}

void proof_tap_begin(FILE *out, size_t planned)
{
    fprintf(out, "TAP version 13\n1..%zu\n", planned);
}

/* What was not reached, and why. */
static void put_missed(FILE *out, const proof_reach *r)
{
    if (r->refused > 0) {
        fprintf(out, "# refused: %zu configurations, the first ", r->refused);
        put_description(out, r->refusal);
        fputc('\n', out);
    }
    if (r->left_out > 0)
        fprintf(out, "# left out: %zu configurations that take too long, from n=%" PRIu64 " on\n",
                r->left_out, r->slow_n);
    if (r->late > 0)
        fprintf(out, "# time is up: %zu configurations are left out, after %.0f s of slow runs\n",
                r->late, r->dear_s);
    if (*r->beyond) {
        fputs("# not reached: ", out);
        put_description(out, r->beyond);
        fputc('\n', out);
    }
}

void proof_tap_outcome(FILE *out, const proof_outcome *outcome)
{
    const proof *p = outcome->proof;
    fprintf(out, "%s %zu - ", outcome->verdict == PROOF_FAILED ? "not ok" : "ok", outcome->number);
    put_description(out, outcome->text);
    if (outcome->verdict == PROOF_SKIPPED) {
        fputs(" # SKIP ", out);
        put_description(out, p->skipped);
    } else if (p->jobs > 0) {
        fprintf(out, " (%zu runs)", p->jobs);
    }
    fputc('\n', out);
    if (outcome->verdict == PROOF_OK)
        put_missed(out, &p->own);
    if (outcome->verdict == PROOF_FAILED) {
        fputs("  ---\n", out);
        explain(p, out, put_yaml);
        fputs("  ...\n", out);
    }
    fflush(out);
}

static void put_comment(FILE *out, const char *key, const char *text, bool is_number)
{
    (void)is_number;
    fprintf(out, "#   %s: ", key);
    put_line(out, text, "");
    fputc('\n', out);
}

void proof_tap_diagnose(FILE *out, const proof_outcome *outcome)
{
    fprintf(out, "\n# not ok %zu - ", outcome->number);
    put_description(out, outcome->text);
    fputc('\n', out);
    explain(outcome->proof, out, put_comment);
}

/* PoCL runs the work-items of a group one after the other from barrier to barrier, and groups in
 * order, so that few barriers are missed. */
static bool hides_barriers(const session *one)
{
    return strstr(one->device.driver, "Portable Computing Language") &&
           (strncmp(one->device.name, "pthread", strlen("pthread")) == 0 ||
            strncmp(one->device.name, "cpu", strlen("cpu")) == 0);
}

void proof_tap_extent(FILE *out, const proof_extent *extent)
{
    enum { MOST_SHOWN = 8 };
    const proof_reach *r = extent->reach;
    const plugin_info *plugin = extent->session->plugin;
    fprintf(out, "# %s: ", plugin->id);
    if (r->passed == 0) {
        fputs("nothing was run\n", out);
        return;
    }
    fprintf(out, "right in %zu configurations up to n=%" PRIu64 "; ", r->passed, r->largest_n);
    put_types(out, r);
    size_t shown = 0;
    for (; shown < plugin->tunable_count && shown < MOST_SHOWN; shown++)
        fprintf(out, "; %s %" PRId64 " to %" PRId64, plugin->tunables[shown].name,
                r->settings[shown].least, r->settings[shown].greatest);
    if (shown < plugin->tunable_count)
        fprintf(out, "; and of %zu more tunables", plugin->tunable_count - shown);
    fputc('\n', out);
    put_missed(out, r);
    if (hides_barriers(extent->session))
        fprintf(out,
                "# not tested: barriers between work-items, which PoCL runs in order; "
                "lib/scanbench/check-kernels %s finds missing ones\n",
                plugin->id);
}

void proof_tap_end(FILE *out, const proof_summary *summary)
{
    if (summary->interrupted)
        fputs("Bail out! interrupted\n", out);
    fflush(out);
}

/* ---- JSON ---------------------------------------------------------------------- */

static void put_member(FILE *out, const char *key, const char *text, bool is_number)
{
    fprintf(out, ", \"%s\": ", key);
    if (is_number)
        fputs(text, out);
    else
        json_string(out, text);
}

static void put_text(FILE *out, const char *key, const char *text)
{
    put_member(out, key, text, false);
}

void proof_json_begin(FILE *out, uint64_t seed)
{
    fprintf(out, "{\"schema\": 1, \"scanbench\": \"%s\", \"seed\": %" PRIu64 ", \"claims\": [",
            SCANBENCH_VERSION, seed);
}

void proof_json_outcome(FILE *out, const proof_outcome *outcome)
{
    static const char *const results[] = {
        [PROOF_OK] = "passed", [PROOF_SKIPPED] = "skipped", [PROOF_FAILED] = "failed"};
    const proof *p = outcome->proof;
    const session *s = p->session;
    fprintf(out, "%s\n  {\"number\": %zu", outcome->number > 1 ? "," : "", outcome->number);
    put_text(out, "result", results[outcome->verdict]);
    put_text(out, "text", outcome->text);
    put_text(out, "plugin", s->plugin->id);
    put_text(out, "file", s->plugin->file);
    if (p->claim->scope != PROOF_PER_FILE && *s->device.name)
        put_text(out, "device", s->device.name);
    if (p->claim->scope == PROOF_PER_OP && p->dtype < SCAN_DTYPE_COUNT) {
        put_text(out, "dtype", dtype_name(p->dtype));
        put_text(out, "result_dtype", dtype_name(result_dtype(p->dtype, p->result)));
        if (s->plugin->role != SCAN_ROLE_CEILING)
            put_text(out, "op", op_name(p->op));
    }
    fprintf(out, ", \"runs\": %zu, \"seconds\": %.3f", p->jobs, outcome->seconds);
    if (outcome->verdict == PROOF_FAILED)
        explain(p, out, put_member);
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
    fputs(extent->is_first ? "\n], \"extent\": [\n  {" : ",\n  {", out);
    fputs("\"plugin\": ", out);
    json_string(out, plugin->id);
    put_text(out, "device", extent->session->device.name);
    put_text(out, "sha256", extent->session->build.hash);
    fprintf(out, ", \"runs\": %zu, \"max_n\": %" PRIu64, r->passed, r->largest_n);
    fputs(", \"types\": \"", out);
    put_types(out, r);
    fputs("\", \"settings\": {", out);
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
