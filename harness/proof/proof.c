#include "proof/proof.h"

#include "problem/names.h"
#include "proof/choice.h"
#include "proof/claim.h"
#include "proof/claims.h"
#include "system/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Arrays above this size may be skipped for lack of memory. */
enum { LARGE_BYTES = 128 << 20 };

static uint64_t tunable_or(const proof *p, const job *j, const char *name, uint64_t otherwise)
{
    int index = tunable_info_index(p->session->plugin, name);
    return index < 0 ? otherwise : (uint64_t)j->tunables[index];
}

proof_tile proof_tile_of(const proof *p, const job *j)
{
    enum { USUAL_BLOCK = 256 };
    proof_tile t = {.block = tunable_or(p, j, "block", USUAL_BLOCK),
                    .vt = tunable_or(p, j, "vt", 1)};
    t.elements = t.block * t.vt > 0 ? t.block * t.vt : 1;
    if (p->session->plugin->tile > 0)
        t.elements = p->session->plugin->tile;
    return t;
}

job proof_job(const proof *p, uint32_t dtype, uint32_t op, uint32_t kind)
{
    const plugin_info *plugin = p->session->plugin;
    job j = {.mode = JOB_CHECK,
             .dtype = dtype,
             .op = op,
             .kind = kind,
             .seed = p->s->seed,
             .pattern = INPUT_EXACT,
             .repeat = 1,
             .tunable_count = (uint32_t)plugin->tunable_count};
    choice_note_others(p->s, &j);
    for (uint32_t i = 0; i < j.tunable_count; i++)
        j.tunables[i] = plugin->tunables[i].default_value;
    return j;
}

uint32_t proof_exact(uint32_t dtype, uint32_t op)
{
    uint32_t usual = input_default(op);
    input_spec spec = {.dtype = dtype, .op = op, .pattern = usual};
    return input_is_exact(&spec) ? usual : INPUT_EXACT;
}

proof_verdict proof_fault(proof *p, const fault *f)
{
    p->failure.status = fault_status(f->code);
    p->failure.fault = *f;
    return PROOF_FAILED;
}

proof_verdict proof_session_fault(proof *p)
{
    p->failure.status = p->session->status;
    p->failure.fault = p->session->fault;
    return PROOF_FAILED;
}

proof_verdict proof_skip(proof *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->skipped, sizeof p->skipped, format, arguments);
    va_end(arguments);
    return PROOF_SKIPPED;
}

/* Decides about a configuration that was not ok: refused, too large for this machine, or a
 * failure. */
static proof_verdict judge(proof *p, const job *j, const job_result *r, bool may_refuse)
{
    char words[FAULT_SENTENCE_BYTES];
    const bool large = j->n > LARGE_BYTES / dtype_bytes(j->dtype);
    fault_text(&r->fault, words, sizeof words);
    p->refused = r->fault.code == FAULT_UNSUPPORTED;
    if (r->status == ROW_SKIPPED && large)
        return proof_skip(p, "no memory for n=%" PRIu64 " here: %s", j->n, words);
    if (r->status == ROW_UNSUPPORTED) {
        if (!p->probing) {
            reach_note_refused(p->reach, j, words);
            reach_note_refused(&p->own, j, words);
        }
        proof_skip(p, "%s", words);
        return may_refuse ? PROOF_OK : PROOF_SKIPPED;
    }
    p->failure.has_job = true;
    p->failure.job = *j;
    p->failure.status = r->status;
    p->failure.fault = r->fault;
    p->failure.runs = r->runs;
    return PROOF_FAILED;
}

proof_verdict proof_do(proof *p, const job *j, bool may_refuse)
{
    job_result r;
    const uint64_t most = p->session->plugin->max_n;
    const double start = clock_now_ns();
    p->refused = false;
    if (!choice_is_asked(p->s, p->session->plugin, j->dtype, j->op, j->kind))
        return proof_skip(p, "%s %s %s was not asked for", dtype_name(j->dtype), op_name(j->op),
                          kind_name(j->kind));
    if (most && j->n > most)
        return proof_skip(p, "n=%" PRIu64 " is above the plugin's max_n of %" PRIu64, j->n, most);
    if (reach_must_hurry(p->reach, j->n, (start - p->start_ns) * 1e-9)) {
        p->reach->left_out++;
        p->own.left_out++;
        p->own.slow_n = p->reach->slow_n;
        return proof_skip(p, "n=%" PRIu64 " is left out: it takes too long", j->n);
    }
    if (reach_is_over(p->reach, &p->own, p->o->claim_limit_s)) {
        p->reach->late++;
        p->own.late++;
        return proof_skip(p, "the time is up");
    }
    if (!session_run_job(p->session, j, &(session_listener){0}, &r))
        return PROOF_INTERRUPTED;
    const double seconds = (clock_now_ns() - start) * 1e-9;
    reach_note_dear(p->reach, j, seconds);
    reach_note_dear(&p->own, j, seconds);
    if (r.status != ROW_OK || !r.verified)
        return judge(p, j, &r, may_refuse);
    reach_note_time(p->reach, j, seconds);
    reach_note_passed(p->reach, j);
    p->largest_n = j->n > p->largest_n ? j->n : p->largest_n;
    p->jobs += r.runs > 0 ? r.runs : 1;
    return PROOF_OK;
}

int proof_threads_index(const plugin_info *plugin)
{
    for (size_t i = 0; i < plugin->tunable_count; i++)
        if (plugin->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return (int)i;
    return -1;
}

static bool always(const plugin_info *p)
{
    (void)p;
    return true;
}

static bool is_scan(const plugin_info *p)
{
    return p->role != SCAN_ROLE_CEILING;
}

static bool is_tuned_scan(const plugin_info *p)
{
    return is_scan(p) && tunable_info_index(p, "block") >= 0;
}

static bool is_tuned(const plugin_info *p)
{
    return p->tunable_count > 0;
}

static bool works_in_parts(const plugin_info *p)
{
    return p->in_parts;
}

static bool is_on_host(const plugin_info *p)
{
    return !p->device_memory;
}

static bool is_in_place(const plugin_info *p)
{
    return p->flags & SCAN_FLAG_IN_PLACE;
}

static bool has_const_input(const plugin_info *p)
{
    return is_on_host(p) && !(p->flags & SCAN_FLAG_IN_PLACE_ONLY);
}

static bool is_deterministic(const plugin_info *p)
{
    return is_scan(p) && !(p->flags & SCAN_FLAG_NONDETERMINISTIC);
}

static bool has_own_heap(const plugin_info *p)
{
    return is_on_host(p) && !(p->flags & SCAN_FLAG_ALLOCATES_IN_RUN);
}

#define CLAIM(name, text, scope, base, applies, test, detail, mistake) \
    {#name, text, scope, base, applies, test, detail, mistake, false},
#define SHARING_CLAIM(name, text, scope, base, applies, test, detail, mistake) \
    {#name, text, scope, base, applies, test, detail, mistake, true},
const proof_claim proof_claims[] = {PROOF_LOADING_MAP(CLAIM) PROOF_ANSWER_MAP(SHARING_CLAIM)
                                        PROOF_BEHAVIOUR_MAP(CLAIM)};
const size_t proof_claim_count = sizeof proof_claims / sizeof *proof_claims;

const proof_claim proof_given = {
    "given", "is right as given",    PROOF_PER_OP, false, always, proof_test_given,
    0,       PROOF_NO_KNOWN_MISTAKE, false};

const proof_claim *proof_find(const char *name)
{
    for (size_t i = 0; i < proof_claim_count; i++)
        if (strcmp(proof_claims[i].name, name) == 0)
            return &proof_claims[i];
    return NULL;
}
