/*
 * run.c - runs one configuration of a claim, or one near it that supports accepts, and keeps how
 * far the proof went
 */
#include "problem/names.h"
#include "proof/claim.h"
#include "system/clock.h"

#include <inttypes.h>
#include <stdarg.h>

/* Arrays above this size may be skipped for lack of memory. */
enum { LARGE_BYTES = 128 << 20 };

/* A size is slow if one configuration takes this long. */
#define SLOW_S 0.2
/* How long one claim, and the whole proof of a plugin, may take before slow sizes are left out. */
#define CLAIM_S 5.0
#define PROOF_S 60.0

/* A run takes long if it takes this long, whatever its n is; a test of behaviour is many runs. */
#define DEAR_RUN_S 0.05
#define DEAR_BEHAVIOUR_S 5.0
/* What claims may take together, and each of them once that is spent, as shares of --claim-limit.
 */
#define ALL_CLAIMS 6.0
#define AFTERWARDS 0.05

bool proof_is_over(proof_verdict verdict)
{
    return verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED;
}

proof_verdict proof_fault(proof *p, const fault *f)
{
    p->failure.status = fault_status(f->code);
    p->failure.fault = *f;
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

/* ---- how far it went --------------------------------------------------------- */

static void note_passed(proof_reach *r, const job *j)
{
    r->largest_n = job_elements(j) > r->largest_n ? job_elements(j) : r->largest_n;
    r->types[j->op][j->dtype] |= SCAN_BIT(job_result_type(j));
    for (uint32_t i = 0; i < j->tunable_count; i++) {
        const int64_t value = j->tunables[i];
        if (r->passed == 0 || value < r->settings[i].least)
            r->settings[i].least = value;
        if (r->passed == 0 || value > r->settings[i].greatest)
            r->settings[i].greatest = value;
    }
    r->passed++;
}

/* The beginning of a long reason is enough. */
static void note_refused(proof_reach *r, const job *j, const char *why)
{
    char shape[JOB_SHAPE_BYTES];
    if (r->refused++ == 0 &&
        snprintf(r->refusal, sizeof r->refusal, "%s %s n=%" PRIu64 "%s: %s", dtype_name(j->dtype),
                 op_name(j->op), j->n, job_shape_text(j, " rows=", " inner=", shape), why) < 0)
        *r->refusal = '\0';
}

static void note_time(proof_reach *r, const job *j, double seconds)
{
    enum { LEAST_N = 4096 }; /* below, n is not what takes the time */
    const uint64_t n = job_elements(j);
    if (j->mode != JOB_CHECK || n <= LEAST_N)
        return;
    if (seconds < SLOW_S * j->run.repeat) {
        if (n >= r->slow_n) { /* the machine was busy */
            r->slow_n = 0;
            r->slow_runs = 0;
        }
        return;
    }
    r->slow_s += seconds;
    r->slow_runs++;
    if (r->slow_n == 0 || n < r->slow_n)
        r->slow_n = n;
}

/* Notes what counts against --claim-limit: slow runs, not many of them. */
static void note_dear(proof *p, const job *j, double seconds)
{
    const double most_s = j->mode == JOB_CHECK ? DEAR_RUN_S * j->run.repeat : DEAR_BEHAVIOUR_S;
    const double dear_s = seconds > most_s ? seconds : 0;
    p->reach->dear_s += dear_s;
    p->own.dear_s += dear_s;
}

static bool is_late(const proof *p)
{
    const double limit_s = p->o->claim_limit_s;
    const bool spent = p->reach->dear_s > ALL_CLAIMS * limit_s;
    return p->own.dear_s > (spent ? AFTERWARDS : 1) * limit_s;
}

bool proof_is_slow(const proof *p, uint64_t n)
{
    enum { SURE = 4 };
    return p->reach->slow_runs >= SURE && n >= p->reach->slow_n;
}

static void leave_out(proof *p)
{
    p->reach->left_out++;
    p->own.left_out++;
    p->own.slow_n = p->reach->slow_n;
}

/* ---- one configuration --------------------------------------------------------- */

/* Decides about a configuration that was not ok: refused, too large for this machine, or a
 * failure. */
static proof_verdict judge(proof *p, const job *j, const job_result *r, bool may_refuse)
{
    char words[FAULT_SENTENCE_BYTES];
    const bool large = job_elements(j) > LARGE_BYTES / dtype_bytes(j->dtype);
    fault_text(&r->fault, words, sizeof words);
    p->refused = r->fault.code == FAULT_UNSUPPORTED;
    if (r->status == ROW_SKIPPED && large)
        return proof_skip(p, "no memory for n=%" PRIu64 " here: %s", j->n, words);
    if (r->status == ROW_UNSUPPORTED) {
        if (!p->probing) {
            note_refused(p->reach, j, words);
            note_refused(&p->own, j, words);
        }
        proof_skip(p, "%s", words);
        return may_refuse ? PROOF_OK : PROOF_SKIPPED;
    }
    p->failure.has_job = true;
    p->failure.job = *j;
    p->failure.status = r->status;
    p->failure.fault = r->fault;
    p->failure.runs = r->runs;
    p->reach->some_wrong |= p->claim->subject != PROOF_OF_BEHAVIOUR;
    return PROOF_FAILED;
}

proof_verdict proof_do(proof *p, const job *j, bool may_refuse)
{
    job_result r;
    const uint64_t most = p->session->plugin->max_n, elements = job_elements(j);
    const double start = clock_now_ns();
    p->refused = false;
    if (!proof_wants_kind(p, j, j->kind))
        return proof_skip(p, "%s %s %s was not asked for", dtype_name(j->dtype), op_name(j->op),
                          kind_name(j->kind));
    if (most && elements > most)
        return proof_skip(p, "n=%" PRIu64 " is above the plugin's max_n of %" PRIu64, elements,
                          most);
    if (proof_is_slow(p, elements) &&
        (start - p->start_ns) * 1e-9 > (p->reach->slow_s > PROOF_S ? SLOW_S : CLAIM_S)) {
        leave_out(p);
        return proof_skip(p, "n=%" PRIu64 " is left out: it takes too long", elements);
    }
    if (is_late(p)) {
        p->reach->late++;
        p->own.late++;
        return proof_skip(p, "the time is up");
    }
    if (!session_run_job(p->session, j, &(session_listener){0}, &r))
        return PROOF_INTERRUPTED;
    const double seconds = (clock_now_ns() - start) * 1e-9;
    note_dear(p, j, seconds);
    if (r.status != ROW_OK || !r.verified)
        return judge(p, j, &r, may_refuse);
    note_time(p->reach, j, seconds);
    note_passed(p->reach, j);
    if (elements == j->n && j->n > p->largest_n)
        p->largest_n = j->n;
    p->jobs += r.runs > 0 ? r.runs : 1;
    return PROOF_OK;
}

/* ---- the nearest accepted size --------------------------------------------------- */

/* After this many sizes without an accepted one nearby, only the last known unit is tried. */
enum { HOPELESS = 2 };

/* Probes a size that the claim did not ask for: that it is refused is no news. Did it pass?
 * *verdict_p: PROOF_FAILED and PROOF_INTERRUPTED end the search. */
static bool probe(proof *p, job *j, uint64_t n, proof_verdict *verdict_p)
{
    const size_t before = p->jobs;
    job there = *j;
    there.n = n;
    p->probing = true;
    const proof_verdict verdict = proof_do(p, &there, true);
    p->probing = false;
    if (proof_is_over(verdict))
        *verdict_p = verdict;
    if (p->jobs == before)
        return false;
    *verdict_p = PROOF_OK;
    j->n = n;
    return true;
}

/* Tries the multiple of `unit` next above n, or below it at the limit. */
static bool try_unit(proof *p, job *j, uint64_t unit, proof_verdict *verdict_p)
{
    if (unit < 2 || j->n == 0)
        return false;
    uint64_t n = (j->n + unit - 1) / unit * unit;
    if (n > p->limit)
        n = p->limit / unit * unit;
    if (n == 0 || n == j->n || !probe(p, j, n, verdict_p))
        return false;
    p->reach->unit = unit;
    return true;
}

static bool try_units(proof *p, job *j, proof_verdict *verdict_p)
{
    enum { MOST_UNIT = 1 << 16 };
    const proof_tile tile = proof_tile_of(p, j);
    const uint64_t likely[] = {p->reach->unit, tile.elements, tile.block};
    for (size_t i = 0; i < sizeof likely / sizeof *likely && !proof_is_over(*verdict_p); i++)
        if (try_unit(p, j, likely[i], verdict_p))
            return true;
    for (uint64_t unit = 2;
         unit <= MOST_UNIT && p->hopeless < HOPELESS && !proof_is_over(*verdict_p); unit *= 2)
        if (try_unit(p, j, unit, verdict_p))
            return true;
    return false;
}

/* Searches for the largest accepted size between the largest that passed and a refused one. */
static void try_smaller(proof *p, job *j, proof_verdict *verdict_p)
{
    enum { STEPS = 24 };
    const uint64_t unit = p->reach->unit > 1 ? p->reach->unit : 1;
    uint64_t below = p->largest_n, above = j->n;
    for (int i = 0; i < STEPS && above - below > unit && !proof_is_over(*verdict_p); i++) {
        uint64_t n = below + (above - below) / 2 / unit * unit;
        n = n > below ? n : below + 1;
        if (probe(p, j, n, verdict_p))
            below = n;
        else
            above = n;
    }
    p->refused_from = above;
}

proof_verdict proof_do_near(proof *p, job *j, bool may_refuse)
{
    const size_t before = p->jobs;
    proof_verdict verdict = proof_do(p, j, may_refuse);
    if (proof_is_over(verdict) || p->jobs > before || !p->refused ||
        (p->refused_from > 0 && j->n >= p->refused_from))
        return verdict;
    const bool first_above = p->largest_n > 0 && j->n > p->largest_n && p->refused_from == 0;
    if (try_units(p, j, &verdict) || proof_is_over(verdict)) {
        p->hopeless = 0;
        return verdict;
    }
    p->hopeless++;
    if (first_above)
        try_smaller(p, j, &verdict);
    p->refused = !proof_is_over(verdict) && p->jobs == before;
    return verdict;
}

/* ---- the few sizes of claims that need no more ------------------------------------- */

bool proof_is_tuned(const proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    return plugin->tile > 0 || tunable_info_index(plugin, "block") >= 0;
}

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

uint64_t proof_at_most(uint64_t n, uint64_t most)
{
    return n < most ? n : most;
}

size_t proof_spread(proof *p, const job *j, uint64_t sizes[PROOF_SPREAD])
{
    enum { MIDDLE = 16411, LARGE = 65539, LARGER = 262147 };
    const uint64_t few = 3 + 5 * proof_tile_of(p, j).elements;
    const uint64_t wanted[PROOF_SPREAD] = {few, LARGE, MIDDLE, LARGER, p->limit - 5};
    const size_t most = proof_is_tuned(p) || p->brief ? 2 : PROOF_SPREAD;
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const uint64_t n = proof_at_most(wanted[i], p->limit);
        bool known = i > 0 && n <= sizes[0];
        for (size_t k = 0; k < count; k++)
            known |= sizes[k] == n;
        if (!known && i > 0 && proof_is_slow(p, n))
            leave_out(p);
        else if (!known)
            sizes[count++] = n;
    }
    return count;
}

uint64_t proof_few(proof *p, const job *j)
{
    uint64_t sizes[PROOF_SPREAD];
    proof_spread(p, j, sizes);
    return sizes[0];
}

/* ---- a claim that did not come far says what it did not reach ------------------------ */

proof_verdict proof_reached(proof *p, proof_verdict verdict, uint64_t beyond, const char *what)
{
    if (verdict != PROOF_OK || p->largest_n > beyond)
        return verdict;
    p->refused = false;
    return proof_skip(p, "right up to n=%" PRIu64 ", but no %s: that is n > %" PRIu64 "%s%s",
                      p->largest_n, what, beyond, p->own.refused > 0 ? "; refused: " : "",
                      p->own.refusal);
}

proof_verdict proof_reached_tile(proof *p, proof_verdict verdict, const job *j)
{
    return p->session->plugin->role == SCAN_ROLE_CEILING
               ? verdict
               : proof_reached(p, verdict, proof_tile_of(p, j).elements, "second tile");
}

proof_verdict proof_in_time(proof *p, proof_verdict verdict)
{
    if (p->own.late == 0 || proof_is_over(verdict))
        return verdict;
    p->refused = false;
    if (p->jobs == 0)
        return proof_skip(p, "time is up: nothing was tested (--claim-limit)");
    return proof_skip(p,
                      "time is up: right in %zu runs up to n=%" PRIu64
                      ", %zu more are left out (--claim-limit)",
                      p->jobs, p->largest_n, p->own.late);
}
