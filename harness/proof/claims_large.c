/*
 * claims_large.c - the claim about n that is too large for narrow integers: of bytes, of elements,
 * of blocks
 *
 * Many of the smallest blocks show a dimension of a grid that is too narrow; that takes little
 * memory. Then one configuration goes as far as memory and time allow: a larger n shows all that a
 * smaller one shows.
 */
#include "problem/splitmix.h"
#include "proof/claim.h"
#include "supervisor/interrupt.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system/turn.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>

/* ---- up to which n ------------------------------------------------------------- */

uint64_t large_n_step(size_t i)
{
    enum { FIRST = 29 };
    return (UINT64_C(1) << (FIRST + i)) + LARGE_BEYOND;
}

/* Says that an n needs more memory than there is; n is far below 2^40, so that no product
 * overflows.
 */
static bool lacks_memory(char why[LARGE_WHY_BYTES], uint64_t n, uint64_t bytes, uint64_t most,
                         const char *whose)
{
    char needed[32], have[32];
    if (bytes <= most)
        return false;
    snprintf(why, LARGE_WHY_BYTES, "n=%" PRIu64 " needs %s of %s memory, and %s of it may be used",
             n, memory_text(bytes, needed, sizeof needed), whose,
             memory_text(most, have, sizeof have));
    return true;
}

/* Is the n beyond the means? */
static bool is_beyond(const large_means *m, uint64_t n, char why[LARGE_WHY_BYTES])
{
    const uint64_t bytes = n * m->element_bytes;
    const double seconds =
        (double)n * m->s_per_element + (double)bytes * m->host_arrays * m->first_use_s;
    *why = '\0';
    if (m->most > 0 && n > m->most) {
        snprintf(why, LARGE_WHY_BYTES,
                 "n=%" PRIu64 " is above %" PRIu64 " (--max-n, --mem-limit or max_n)", n, m->most);
        return true;
    }
    if (lacks_memory(why, n, bytes * m->host_arrays + MEMORY_WORKER_BYTES, m->host_bytes, "host") ||
        (m->device_bytes > 0 &&
         lacks_memory(why, n, bytes * m->device_arrays, m->device_bytes, "the device's")))
        return true;
    if (m->budget_s > 0 && seconds > m->budget_s)
        snprintf(why, LARGE_WHY_BYTES,
                 "n=%" PRIu64 " takes about %.0f s, and %.0f s may be taken (--max-n)", n, seconds,
                 m->budget_s);
    return *why != '\0';
}

uint64_t large_n_choose(const large_means *m, char why[LARGE_WHY_BYTES])
{
    size_t i = 0;
    while (i < LARGE_STEPS && !is_beyond(m, large_n_step(i), why))
        i++;
    return i > 0 ? large_n_step(i - 1) : 0;
}

double large_n_budget_s(const large_means *m)
{
    enum { OF_INDICES = 2 };
    char why[LARGE_WHY_BYTES];
    large_means whenever = *m;
    whenever.budget_s = 0;
    return large_n_choose(&whenever, why) >= large_n_step(OF_INDICES) ? 10 : 2;
}

uint64_t large_n_within(uint64_t n, uint64_t least, double s_per_element, double seconds)
{
    const double most = s_per_element > 0 ? seconds / s_per_element : (double)n;
    if (most >= (double)n)
        return n;
    return most > (double)least ? (uint64_t)most : least;
}

/* ---- the claim -------------------------------------------------------------------- */

/* How long the many blocks may take. */
#define BLOCKS_S 1.5

/* How long all types may take at sizes of some millions. */
#define FAR_S 5.0

/* 2^16 blocks of 256 elements and a few more. */
enum { MANY = (1 << 24) + 4097, FIRST = 1 << 20, NARROW_BLOCKS = 65535 };

/* The part of the free memory that may be used: other proofs run beside this one. */
enum { SHARE = 4 };

static bool is_asked(const proof *p)
{
    return p->o->max_n != OPTIONS_MAX_N;
}

/* The largest n that is allowed, 0 if there is no such limit. */
static uint64_t most_of(const proof *p)
{
    return is_asked(p) ? p->limit : p->session->plugin->max_n;
}

static uint64_t at_most(uint64_t n, uint64_t most)
{
    return most > 0 && n > most ? most : n;
}

static uint64_t share_of(const proof *p, uint64_t bytes)
{
    return is_asked(p) ? bytes / 10 * 9 : bytes / SHARE;
}

static large_means means_of(const proof *p, const job *j)
{
    const session *s = p->session;
    const bool device = s->plugin->device_memory;
    const bool shares = device && (s->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY);
    large_means m = {.most = most_of(p),
                     .host_bytes = at_most(share_of(p, memory_available()), p->mem_limit),
                     .host_arrays = shares   ? 3
                                    : device ? 1
                                             : 2,
                     .device_bytes = device && !shares ? share_of(p, s->device.memory_bytes) : 0,
                     .device_arrays = 2,
                     .element_bytes = (uint32_t)dtype_bytes(j->dtype)};
    m.first_use_s = memory_first_use_s();
    m.budget_s = is_asked(p) ? 0 : large_n_budget_s(&m);
    return m;
}

static void set_smallest(const proof *p, job *j, const char *name, int64_t least)
{
    const int index = tunable_info_index(p->session->plugin, name);
    if (index >= 0)
        j->tunables[index] = proof_smallest(&p->session->plugin->tunables[index], least);
}

/* Runs j and sets *s_per_element_p. */
static proof_verdict timed(proof *p, job *j, double *s_per_element_p)
{
    const double start = clock_now_ns();
    const proof_verdict verdict = proof_do_near(p, j, false);
    *s_per_element_p = (clock_now_ns() - start) * 1e-9 / (double)(j->n ? j->n : 1);
    return verdict;
}

/* More than 65535 blocks, with the smallest blocks. */
static proof_verdict many_blocks(proof *p, job j)
{
    const uint64_t most = most_of(p);
    double s_per_element;
    set_smallest(p, &j, "block", 32);
    set_smallest(p, &j, "vt", 1);
    j.n = at_most(FIRST, most);
    const proof_verdict verdict = timed(p, &j, &s_per_element);
    if (verdict != PROOF_OK)
        return verdict;
    const uint64_t tile = proof_tile_of(p, &j).elements;
    const uint64_t enough = (NARROW_BLOCKS + 2) * tile + 1;
    const uint64_t wanted = at_most(enough > MANY ? enough : MANY, most);
    j.n = large_n_within(wanted, j.n, s_per_element, BLOCKS_S);
    return proof_do_near(p, &j, false);
}

/* The largest first: it shows what grows with n. */
static const uint64_t far_from[] = {11 << 20, 4 << 20, 5 << 20, 6 << 20};

/* At some n behind j's, in a kind that depends on it: at all of far_from, a type gets every
 * remainder by 4 and both kinds. The seed decides the rest. */
static proof_verdict at_far_n(proof *p, job j)
{
    const uint64_t most = most_of(p), which = (j.n >> 20) + j.dtype;
    const uint64_t drawn = splitmix_hash(p->s->seed + which * SPLITMIX_STEP) % (1 << 20);
    const uint32_t kind = j.kind ^ (which & 1);
    if ((clock_now_ns() - p->start_ns) * 1e-9 > FAR_S)
        return PROOF_SKIPPED;
    j.kind = proof_wants_kind(p, &j, kind) ? kind : j.kind;
    if (dtype_is_integer(j.dtype) && op_gives(j.op) == OP_ADDS)
        j.run.pattern = INPUT_GROWING;
    j.n += drawn / 4 * 4 + (which + j.op + 2) % 4;
    return most > 0 && j.n > most ? PROOF_SKIPPED : proof_do(p, &j, true);
}

/* Each type once at each of these, as far as the time goes: an algorithm may go on in another way
 * where n is large, of which one type tells little. */
static proof_verdict far(proof *p)
{
    proof_verdict verdict = PROOF_OK;
    /* First the operator that others stand for least, which little time would leave out. */
    if (choice_has(p->s, p->session->plugin, PROOF_ORDERED))
        verdict =
            proof_with_type(p, PROOF_ORDERED, at_far_n, &(job){.n = far_from[0], .run.repeat = 1});
    for (size_t i = 0; i < sizeof far_from / sizeof *far_from && !proof_is_over(verdict); i++)
        verdict = proof_with_each_type(p, at_far_n, &(job){.n = far_from[i], .run.repeat = 1});
    return verdict;
}

/* The same worker may be silent for as long as one step takes. */
static proof_verdict with_patience(proof *p, job *j, double seconds)
{
    const double before = p->session->timeout_s;
    if (p->session->timeout_s < 4 * seconds)
        p->session->timeout_s = 4 * seconds;
    const proof_verdict verdict = proof_do(p, j, false);
    p->session->timeout_s = before;
    return verdict;
}

/* Proofs that run beside this one would together take more memory than there is. Waits as long as
 * one of them takes at most; -1 if it takes longer, or after an interrupt. */
static int wait_for_turn(void)
{
    enum { PATIENCE_S = 30, PAUSE_MS = 100 };
    const double end_ns = clock_now_ns() + PATIENCE_S * 1e9;
    int turn = turn_begin("large");
    while (turn < 0 && clock_now_ns() < end_ns && !interrupt_requested()) {
        poll(NULL, 0, PAUSE_MS);
        turn = turn_begin("large");
    }
    return turn;
}

/* Notes why what lies beyond was not reached. Returns the verdict, a skip if nothing large was. */
static proof_verdict bounded(proof *p, proof_verdict verdict, uint64_t reached, const char *why)
{
    snprintf(p->reach->beyond, sizeof p->reach->beyond, "%s", why);
    snprintf(p->own.beyond, sizeof p->own.beyond, "%s", why);
    return verdict == PROOF_OK && reached == 0 ? proof_skip(p, "not beyond 2^29: %s", why)
                                               : verdict;
}

/* What a plugin refuses here it may refuse. */
static proof_verdict large_scans(proof *p, job j)
{
    const proof_verdict verdict = proof_do(p, &j, true);
    return verdict == PROOF_SKIPPED ? PROOF_OK : verdict;
}

/* The largest step that memory and time allow; the one below where the plugin refuses that or has
 * no memory for it. */
static proof_verdict large_n(proof *p, job j)
{
    char why[LARGE_WHY_BYTES];
    large_means m = means_of(p, &j); /* what is free now */
    j.n = at_most(MANY, m.most);
    proof_verdict verdict = timed(p, &j, &m.s_per_element);
    const uint64_t many = j.n;
    uint64_t n = large_n_choose(&m, why);
    while (verdict == PROOF_OK && n > 0) {
        j.n = n;
        verdict = with_patience(p, &j, (double)n * m.s_per_element);
        if (verdict != PROOF_SKIPPED)
            break;
        char refusal[LARGE_WHY_BYTES];
        snprintf(refusal, sizeof refusal, "%.*s", LARGE_WHY_BYTES - 1, p->skipped);
        m.most = n - 1;
        n = large_n_choose(&m, why);
        memcpy(why, refusal, sizeof why);
        verdict = PROOF_OK;
    }
    j.n = n > 0 ? n : many;
    /* Rows and columns that are wrong anyway have been told. */
    if (verdict == PROOF_OK && !p->reach->some_wrong)
        verdict = proof_many_scans(p, j, large_scans);
    return bounded(p, verdict, n, why);
}

/* Of a plugin whose default is fewer threads than there are places: sets as many. */
static bool set_all_threads(const proof *p, job *j)
{
    const int at = proof_threads_index(p->session->plugin);
    const int64_t places = (int64_t)p->session->places;
    if (at < 0 || j->tunables[at] <= 0 || j->tunables[at] >= places)
        return false;
    for (int64_t threads = places; threads > j->tunables[at]; threads--)
        if (tunable_info_allows(&p->session->plugin->tunables[at], threads)) {
            j->tunables[at] = threads;
            return true;
        }
    return false;
}

static proof_verdict test_large(proof *p, job j)
{
    job all = j;
    const bool has_more = set_all_threads(p, &all);
    proof_verdict verdict = many_blocks(p, j);
    if (verdict == PROOF_OK && has_more)
        verdict = many_blocks(p, all);
    if (verdict != PROOF_OK)
        return verdict;
    const int turn = wait_for_turn();
    if (turn < 0)
        return bounded(p, PROOF_OK, 0, "another proof has the memory");
    p->start_ns = clock_now_ns(); /* others took their time */
    verdict = large_n(p, j);
    if (verdict == PROOF_OK && has_more)
        verdict = large_n(p, all);
    turn_end(turn);
    return verdict;
}

/* Then in a type of four bytes, of which most elements fit into memory; else in another. */
proof_verdict proof_test_large(proof *p)
{
    static const proof_sort sorts[] = {PROOF_WORD, PROOF_PACKED, PROOF_HALF, PROOF_WIDE,
                                       PROOF_ORDERED};
    proof_verdict verdict = far(p);
    if (proof_is_over(verdict))
        return verdict;
    verdict = PROOF_SKIPPED;
    p->start_ns = clock_now_ns();
    p->refused = true;
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts && verdict == PROOF_SKIPPED && p->refused;
         i++)
        verdict = proof_with_type(p, sorts[i], test_large, NULL);
    return verdict;
}
