/*
 * failure.c - the facts about a failure, in the order in which people ask for them
 */
#include "proof/outcome.h"

#include "problem/element.h"
#include "proof/diagnosis.h"
#include "scan_parts.h"
#include "text/shell_quote.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

/* Where the facts go. */
typedef struct telling {
    FILE *out;
    proof_fact tell;
} telling;

SCAN_PRINTF(3, 4)
static void tell_text(const telling *t, const char *key, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0)
        t->tell(t->out, key, text, false);
    va_end(arguments);
    free(text);
}

static void tell_number(const telling *t, const char *key, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    t->tell(t->out, key, text, true);
}

/* Is the claim needed to repeat the failure, because --sizes cannot express the configuration? */
static bool is_of_a_claim(const proof *p)
{
    const job *j = &p->failure.job;
    return !p->failure.has_job || j->mode == JOB_BEHAVE || j->in_place || j->misalign ||
           j->misalign_out || j->fence || j->repeat > 1;
}

static void put_configuration(FILE *command, const proof *p)
{
    const job *j = &p->failure.job;
    const plugin_info *plugin = p->session->plugin;
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
static void tell_command(const telling *t, const proof *p)
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
        t->tell(t->out, "repeat", text, false);
    free(text);
}

static void tell_element(const telling *t, const char *key, uint32_t dtype, uint64_t bits)
{
    char text[80];
    tell_text(t, key, "%s", element_text(dtype, &bits, text, sizeof text));
}

void proof_explain(const proof *p, FILE *out, proof_fact tell)
{
    const telling t = {.out = out, .tell = tell};
    const fault *f = &p->failure.fault;
    const job *j = &p->failure.job;
    char reason[FAULT_SENTENCE_BYTES];
    static const char *const fences[FENCE_COUNT] = {"none", "front", "behind"};
    tell_text(&t, "claim", "%s", p->claim->name);
    tell_text(&t, "status", "%s", row_status_word(p->failure.status));
    tell_text(&t, "fault", "%s", fault_word(f->code));
    tell_text(&t, "reason", "%s", fault_text(f, reason, sizeof reason));
    if (fault_has_element(f)) {
        tell_number(&t, "first_bad_index", f->index);
        tell_element(&t, "got", f->dtype, f->got);
        tell_element(&t, "expected", f->dtype, f->expected);
    }
    if (p->failure.has_job)
        tell_number(&t, "seed", f->seed ? f->seed : j->seed);
    if (p->failure.has_job && j->mode == JOB_CHECK && is_of_a_claim(p))
        tell_text(&t, "with", "n=%" PRIu64 " in_place=%u misalign=%u,%u fence=%s repeat=%u", j->n,
                  j->in_place, j->misalign, j->misalign_out, fences[j->fence], j->repeat);
    if (p->failure.has_job && p->failure.runs > 0)
        tell_text(&t, "with", "n=%" PRIu64 " run=%" PRIu64 " of %u", j->n, p->failure.runs,
                  j->repeat);
    tell_text(&t, "looks_like", "%s", proof_diagnose(p));
    tell_command(&t, p);
}
