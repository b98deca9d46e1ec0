#include "commands/verbs.h"

#include "commands/command_files.h"
#include "commands/study.h"
#include "exit_status.h"
#include "problem/dtype.h"
#include "proof/outcome.h"
#include "proof/plan.h"
#include "supervisor/interrupt.h"
#include "sweep/plan.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *validate_claim_words(char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < proof_claim_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s ", proof_claims[i].name);
    return text;
}

typedef struct validation {
    const options *o;
    settings settings;
    session_set session_set;
    proof_plan plan;
    proof_reach *reaches; /* one per session */
    FILE *tap, *json;     /* NULL: not asked for */
    whole_file file;      /* of `json` */
    proof_summary summary;
    size_t missing; /* number of failures because a required plugin is unavailable */
    errmsg error;
} validation;

static bool shows_answers(const proof_claim *claim)
{
    return claim->subject == PROOF_OF_BASE || claim->subject == PROOF_OF_ANSWERS;
}

/* Does it need a new worker: as the first point of its claim, or behind a failed one? On a device,
 * where a worker compiles its kernels first, the claims that only run and compare share one. */
static bool begins_anew(const validation *v, size_t at)
{
    const proof_point *p = &v->plan.points[at], *before = at > 0 ? p - 1 : p;
    if (at == 0 || before->session != p->session || before->failed)
        return true;
    const bool shares = v->session_set.sessions[p->session].plugin->device_memory &&
                        shows_answers(p->claim) && shows_answers(before->claim);
    return before->claim != p->claim && !shares;
}

/* Tests a claim, in a new worker if the claim is new. */
static proof_verdict test(validation *v, size_t at, proof *subject)
{
    const proof_point *p = &v->plan.points[at];
    const size_t base = proof_plan_failed_base(&v->plan, at);
    if (p->left_out) {
        choice_explain(subject->s, subject->session->plugin, PROOF_ANY_TYPE, subject->skipped,
                       sizeof subject->skipped);
        return PROOF_SKIPPED;
    }
    if (base > 0)
        return proof_skip(subject, "depends on claim %zu, which failed", base);
    if (p->claim->scope != PROOF_PER_FILE && begins_anew(v, at) &&
        subject->session->status == ROW_OK)
        session_renew(subject->session);
    return proof_in_time(subject, p->claim->test(subject));
}

static void count_verdict(validation *v, const proof *subject, proof_verdict verdict)
{
    v->summary.passed += verdict == PROOF_OK;
    v->summary.skipped += verdict == PROOF_SKIPPED;
    v->summary.failed += verdict == PROOF_FAILED;
    v->missing += verdict == PROOF_FAILED && subject->failure.status == ROW_UNAVAILABLE;
}

/* The largest n of a claim whose arrays fit into --mem-limit: input, output, what they are compared
 * with, and a device's copies in host memory. */
static uint64_t fitting(const validation *v, const proof_point *p, uint64_t most)
{
    enum { ARRAYS = 5, LARGEST = 8 };
    const uint64_t limit = v->o->measuring.mem_limit;
    if (!limit)
        return most;
    const uint64_t element = p->dtype < SCAN_DTYPE_COUNT ? dtype_bytes(p->dtype) : LARGEST;
    const uint64_t n = (limit - MEMORY_WORKER_BYTES) / (ARRAYS * element);
    return n < most ? n : most;
}

/* false when interrupted */
static bool prove_point(validation *v, size_t at)
{
    proof_point *p = &v->plan.points[at];
    session *s = &v->session_set.sessions[p->session];
    const uint64_t most = s->plugin->max_n;
    char text[256];
    proof subject = {
        .claim = p->claim,
        .dtype = p->dtype,
        .op = p->op,
        .result = p->result,
        .program = v->o->program,
        .o = &v->o->proof,
        .s = &v->settings,
        .session = s,
        .start_ns = clock_now_ns(),
        .reach = &v->reaches[p->session],
        .mem_limit = v->o->measuring.mem_limit,
        .required = session_set_names(v->o->plugins.require, s),
        .limit = fitting(v, p, most && most < v->o->proof.max_n ? most : v->o->proof.max_n)};
    proof_plan_describe(p, &v->session_set, text, sizeof text);
    const double start = clock_now_ns();
    proof_verdict verdict = test(v, at, &subject);
    p->failed = verdict == PROOF_FAILED;
    p->hung = p->failed && subject.failure.status == ROW_TIMEOUT;
    if (verdict == PROOF_INTERRUPTED)
        return false;
    const proof_outcome outcome = {.number = at + 1,
                                   .text = text,
                                   .proof = &subject,
                                   .verdict = verdict,
                                   .seconds = (clock_now_ns() - start) * 1e-9};
    count_verdict(v, &subject, verdict);
    if (v->tap)
        proof_tap_outcome(v->tap, &outcome);
    /* prove shows which claims failed but not why, so the reason goes to stderr. */
    if (verdict == PROOF_FAILED && v->summary.failed == 1 && getenv("HARNESS_ACTIVE"))
        proof_tap_diagnose(stderr, &outcome);
    if (v->json)
        proof_json_outcome(v->json, &outcome);
    return true;
}

/* Was all output written? */
static bool is_written(FILE *out, const char *name)
{
    if (!out || (fflush(out) == 0 && !ferror(out)))
        return true;
    if (errno == EPIPE) /* the reader closed the pipe: it has seen enough */
        return false;
    fprintf(stderr, "scanbench: %s cannot be written: %s\n", name, strerror(errno));
    return false;
}

/* Can an output not be written any more? */
static bool is_cut_off(const validation *v)
{
    return (v->tap && ferror(v->tap)) || (v->json && ferror(v->json));
}

/* Says how far the proof of each plugin went that could be run. */
static void put_extents(const validation *v)
{
    bool is_first = true;
    for (size_t i = 0; i < v->session_set.count; i++) {
        const proof_extent extent = {&v->session_set.sessions[i], &v->reaches[i], is_first};
        if (extent.session->status != ROW_OK && extent.reach->passed == 0)
            continue;
        if (v->tap)
            proof_tap_extent(v->tap, &extent);
        if (v->json)
            proof_json_extent(v->json, &extent);
        is_first = false;
    }
}

static int prove(validation *v)
{
    proof_summary *s = &v->summary;
    if (v->tap)
        proof_tap_begin(v->tap, s->planned);
    if (v->json)
        proof_json_begin(v->json, v->settings.seed);
    for (size_t i = 0; i < s->planned && !s->interrupted && !is_cut_off(v); i++)
        s->interrupted = interrupt_requested() || !prove_point(v, i);
    put_extents(v);
    if (v->tap)
        proof_tap_end(v->tap, s);
    if (v->json)
        proof_json_end(v->json, s);
    if (!is_written(v->tap, "stdout") || !is_written(v->json, v->o->output.json))
        return EXIT_USAGE;
    if (s->interrupted)
        return interrupt_status();
    return s->failed > v->missing ? EXIT_WRONG : s->failed > 0 ? EXIT_MISSING : EXIT_GOOD;
}

static int fail(const validation *v, int status)
{
    fprintf(stderr, "scanbench: %s\n", v->error.text);
    return status;
}

/* Opens the outputs, so that one that cannot be written is reported before the first claim. */
static bool open_outputs(validation *v)
{
    const char *path = v->o->output.json;
    v->tap = path && strcmp(path, "-") == 0 ? NULL : stdout;
    if (path && whole_file_begin(path, NULL, &v->file, &v->error) != SCAN_OK)
        return false;
    v->json = v->file.out;
    return true;
}

/* Puts the JSON into its place, if all of it was written. */
static int close_outputs(validation *v, int status)
{
    if (!v->json || whole_file_end(&v->file, &v->error) == SCAN_OK || status > EXIT_WRONG)
        return status;
    return fail(v, EXIT_USAGE);
}

/* Do the options go together, and is each one that a proof takes? */
static scan_status check_options(validation *v)
{
    const uint64_t memory = v->o->measuring.mem_limit, needed = 2 * (uint64_t)MEMORY_WORKER_BYTES;
    if (settings_any_kind(&v->settings))
        return errmsg_set(&v->error, SCAN_INVALID,
                          "--kinds any: a proof tests each kind that a plugin declares; leave the "
                          "option out for that, or write exclusive or inclusive");
    if (!proof_plan_knows(v->o->proof.claims, &v->error))
        return SCAN_INVALID;
    if (v->o->grid.sizes && v->o->proof.claims)
        return errmsg_set(&v->error, SCAN_INVALID,
                          "--sizes is a claim of its own; leave out --claims");
    if (!v->o->grid.sizes && (v->o->grid.pattern || v->o->grid.sets.count))
        return errmsg_set(&v->error, SCAN_INVALID,
                          "--pattern and --set need --sizes: the proof chooses its own");
    if (memory && memory < needed) {
        char least[32];
        return errmsg_set(&v->error, SCAN_INVALID, "--mem-limit: a proof needs %s at least",
                          memory_text(needed, least, sizeof least));
    }
    return SCAN_OK;
}

static int prepare(validation *v, const char *list)
{
    session_config config;
    if (command_files_check(v->o, &v->error) != SCAN_OK ||
        settings_parse(&v->o->grid, &v->settings, &v->error) != SCAN_OK ||
        session_options_read(&v->o->plugins, v->o->verbose, &config, &v->error) != SCAN_OK ||
        check_options(v) != SCAN_OK)
        return fail(v, EXIT_USAGE);
    config.plugins = list;
    session_options_set_ranks(&v->settings, &config);
    scan_status status = session_set_open(&config, &v->session_set, &v->error);
    if (status != SCAN_OK)
        return interrupt_requested() ? interrupt_status() : fail(v, EXIT_USAGE);
    /* If plugins are named, --require applies to those only, and its items need not name one of
     * them. */
    if (v->o->argument_count == 0 &&
        !session_set_lists(&v->session_set, v->o->plugins.require, &v->error))
        return fail(v, EXIT_MISSING);
    if (plan_check_sets(&v->settings, &v->session_set, &v->error) != SCAN_OK)
        return fail(v, EXIT_USAGE);
    v->reaches = calloc(v->session_set.count + 1, sizeof *v->reaches);
    if (!v->reaches ||
        proof_plan_make(v->o->proof.claims, &v->settings, &v->session_set, &v->plan) != SCAN_OK) {
        errmsg_set(&v->error, SCAN_INVALID, "out of memory");
        return fail(v, EXIT_USAGE);
    }
    v->summary.planned = v->plan.count;
    if (v->plan.count == v->plan.left_out) {
        errmsg_set(&v->error, SCAN_INVALID,
                   "there is nothing to prove: no claim is left that is asked for "
                   "(--claims, --types, --ops, --kinds) and declared");
        return fail(v, EXIT_USAGE);
    }
    /* Last, so that an existing file is kept until there is a proof to write. */
    return open_outputs(v) ? EXIT_GOOD : fail(v, EXIT_USAGE);
}

int validate_main(const options *o)
{
    validation v = {.o = o};
    interrupt_catch();
    char *list = session_options_list(o);
    int status = list ? prepare(&v, list) : EXIT_USAGE;
    if (status == EXIT_GOOD)
        status = prove(&v);
    status = close_outputs(&v, status);
    session_set_close(&v.session_set);
    settings_free(&v.settings);
    proof_plan_free(&v.plan);
    free(v.reaches);
    free(list);
    return status;
}
