/*
 * report_tap.c - a proof as TAP version 13: the plan, a line per claim, a YAML block after each
 * failure
 */
#include "proof/report.h"

/* Writes a YAML value in single quotes, on one line. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputc('\'', out);
        fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    fputc('\'', out);
}

/* Writes a description without characters that end the line or begin a directive. */
static void put_description(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '#' || *c == '\\')
            fputc('\\', out);
        fputc((unsigned char)*c < ' ' ? '?' : *c, out);
    }
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

void proof_tap_outcome(FILE *out, const proof_outcome *outcome)
{
    const proof *p = outcome->proof;
    fprintf(out, "%s %zu - %s", outcome->verdict == PROOF_FAILED ? "not ok" : "ok", outcome->number,
            outcome->text);
    if (outcome->verdict == PROOF_SKIPPED)
        fprintf(out, " # SKIP %s", p->skipped);
    else if (p->jobs > 0)
        fprintf(out, " (%zu runs)", p->jobs);
    fputc('\n', out);
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
    fprintf(out, "#   %s: %s\n", key, text);
}

void proof_tap_diagnose(FILE *out, const proof_outcome *outcome)
{
    fprintf(out, "\n# not ok %zu - ", outcome->number);
    put_description(out, outcome->text);
    fputc('\n', out);
    proof_explain(outcome->proof, out, put_comment);
}

void proof_tap_end(FILE *out, const proof_summary *summary)
{
    if (summary->interrupted)
        fputs("Bail out! interrupted\n", out);
    fflush(out);
}
