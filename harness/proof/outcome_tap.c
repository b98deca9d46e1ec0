/*
 * outcome_tap.c - a proof as TAP version 13: the plan, a line per claim, a YAML block after each
 * failure
 */
#include "proof/outcome.h"

#include "text/utf8.h"

#include <inttypes.h>
#include <string.h>

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

/* Writes text that holds control characters as a YAML value in double quotes, on one line. */
static void put_escaped(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", out);
        else if (byte < ' ' || byte >= 0x7f)
            fprintf(out, "\\x%02x", byte);
        else
            fputc(byte, out);
    }
    fputc('"', out);
}

/* Writes a YAML value on one line: in single quotes, if those can hold it. */
static void put_quoted(FILE *out, const char *text)
{
    if (!is_plain(text)) {
        put_escaped(out, text);
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

static void put_fact(FILE *out, const char *key, const char *text, bool is_number)
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
        proof_explain(p, out, put_fact);
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
    proof_explain(outcome->proof, out, put_comment);
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
    reach_put_types(out, r);
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
