#include "proof_traps.h"

#include "element.h"
#include "names.h"
#include "proof_claims.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/* What there is to go by. */
typedef struct evidence {
    const proof *p;
    const job *job;
    const lane_result *result;
    uint64_t first_bad;
    uint64_t block, vt, tile;
    bool crashed, hung;
    bool bad; /* there is a first wrong element */
} evidence;

typedef struct trap {
    bool (*looks)(const evidence *e);
    const char *text;
} trap;

static bool says(const evidence *e, const char *words)
{
    return strstr(e->result->reason, words) != NULL;
}

static bool is_extremum(const evidence *e)
{
    return e->job->op == SCAN_OP_MAX || e->job->op == SCAN_OP_MIN;
}

static bool is_signed(const evidence *e)
{
    return e->job->dtype == SCAN_DTYPE_I32 || e->job->dtype == SCAN_DTYPE_I64;
}

static bool past_with_vt(const evidence *e)
{
    return says(e, "past the end of the output") && e->vt > 1;
}

static bool past(const evidence *e)
{
    return says(e, "past the end of the output");
}

static bool before(const evidence *e)
{
    return says(e, "before the start of the");
}

static bool past_input(const evidence *e)
{
    return says(e, "past the end of the input");
}

static bool input(const evidence *e)
{
    return says(e, "the input was changed");
}

static bool scratch(const evidence *e)
{
    return says(e, "bytes of scratch");
}

static bool allocates(const evidence *e)
{
    return says(e, "called host->allocate");
}

static bool hung_after_start(const evidence *e)
{
    return e->hung && says(e, "during run");
}

static bool hung(const evidence *e)
{
    return e->hung;
}

static bool crashed_on_nothing(const evidence *e)
{
    return e->crashed && e->job->n == 0;
}

static bool exited(const evidence *e)
{
    return e->crashed && says(e, "exited with status");
}

static bool misaligned(const evidence *e)
{
    return e->job->misalign || e->job->misalign_out;
}

static bool crashed(const evidence *e)
{
    return e->crashed;
}

static bool garbage(const evidence *e)
{
    return says(e, "what is no message");
}

static bool no_kernel(const evidence *e)
{
    return says(e, "CL_BUILD_PROGRAM_FAILURE") || says(e, "CL_INVALID_KERNEL_NAME");
}

static bool refused(const evidence *e)
{
    return !e->bad && (says(e, "supports") || says(e, "create:") || says(e, "run:"));
}

/* A count cut to 16 or 32 bits leaves right what is left of n; an index of bytes that is
 * cut, or a signed one, goes wrong at a multiple of 2^28 elements (of up to 16 bytes). */
static bool narrow(const evidence *e)
{
    const uint64_t n = e->job->n, wrap = UINT64_C(1) << 28;
    return e->bad && ((n > UINT16_MAX && e->first_bad == (n & UINT16_MAX)) ||
                      (n > wrap && e->first_bad == (n & UINT32_MAX)) ||
                      (e->first_bad >= wrap && e->first_bad % wrap == 0));
}

static bool got_is(const evidence *e, const element *value)
{
    char text[REFERENCE_TEXT_BYTES];
    return e->bad &&
           strcmp(element_text(e->job->dtype, value, text, sizeof text), e->result->got) == 0;
}

/* y[0] is the identity where it is to be x[0]. */
static bool exclusive(const evidence *e)
{
    const element nothing = element_identity(e->job->op, e->job->dtype);
    return e->first_bad == 0 && e->job->kind == SCAN_KIND_INCLUSIVE && got_is(e, &nothing);
}

/* y[0] is x[0] where it is to be the identity. */
static bool inclusive(const evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->pattern);
    element first = {.u64 = 0};
    input_fill(&spec, 0, 1, &first);
    return e->first_bad == 0 && e->job->kind == SCAN_KIND_EXCLUSIVE && got_is(e, &first);
}

static bool identity(const evidence *e)
{
    const bool at_zero = e->first_bad == 0 && e->job->kind == SCAN_KIND_EXCLUSIVE;
    return e->bad && is_extremum(e) && (at_zero || strcmp(e->result->got, "0") == 0);
}

static bool unsigned_order(const evidence *e)
{
    return e->bad && is_extremum(e) && is_signed(e) &&
           (*e->result->got == '-') != (*e->result->expected == '-');
}

/* One half of a wide integer is right or written, the other as the poison was. */
static bool half_written(const evidence *e)
{
    const uint64_t poison = UINT64_C(0xa5a5a5a5);
    const uint64_t got = *e->result->got == '-' ? (uint64_t)strtoll(e->result->got, NULL, 10)
                                                : strtoull(e->result->got, NULL, 10);
    const bool wide = e->job->dtype == SCAN_DTYPE_I64 || e->job->dtype == SCAN_DTYPE_U64;
    return e->bad && wide && (got >> 32 == poison) != ((got & UINT32_MAX) == poison);
}

/* Where a carry is joined, and not at the tile's first element, which it is. */
static bool swapped(const evidence *e)
{
    const element nothing = element_identity(e->job->op, e->job->dtype);
    return e->bad && e->job->op == SCAN_OP_AFFINE && e->first_bad > 0 && !got_is(e, &nothing) &&
           (e->first_bad % e->tile != 0 || e->job->kind == SCAN_KIND_INCLUSIVE);
}

static bool saturated(const evidence *e)
{
    static const char *const ends[] = {"2147483647", "-2147483648", "9223372036854775807",
                                       "-9223372036854775808"};
    bool at_end = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        at_end |= strcmp(e->result->got, ends[i]) == 0;
    return e->bad && at_end && e->job->op == SCAN_OP_SUM;
}

static bool in_place(const evidence *e)
{
    return e->bad && e->job->in_place;
}

static bool repeated(const evidence *e)
{
    return e->bad && e->job->repeat > 1;
}

static bool no_power_of_two(const evidence *e)
{
    return e->bad && (e->block & (e->block - 1)) != 0;
}

static uint64_t default_vt(const evidence *e)
{
    int vt = catalog_tunable_index(e->p->lane->plugin, "vt");
    return vt < 0 ? e->vt : (uint64_t)e->p->lane->plugin->tunables[vt].default_value;
}

/* With a setting that is not the default one, where the default one is right. */
static bool baked(const evidence *e)
{
    const catalog_plugin *plugin = e->p->lane->plugin;
    bool changed = false;
    for (uint32_t i = 0; i < e->job->tunable_count; i++)
        changed |= e->job->tunables[i] != plugin->tunables[i].default_value;
    const bool block_alone = e->vt == default_vt(e);
    return e->bad && changed && (!block_alone || strcmp(e->p->claim->name, "tunables") == 0);
}

static bool neighbours(const evidence *e)
{
    return e->bad && (e->first_bad == 2 || e->first_bad == 3) && e->tile > 4;
}

static bool repeated_unwritten(const evidence *e)
{
    return e->bad && e->job->repeat > 1 && e->result->unwritten;
}

static bool whole(const evidence *e)
{
    return e->bad && e->result->unwritten && e->job->n % e->tile == 0;
}

static bool tail(const evidence *e)
{
    return e->bad && e->result->unwritten && e->first_bad == e->job->n - e->job->n % e->tile;
}

static bool nothing_written(const evidence *e)
{
    return e->bad && e->result->unwritten && e->first_bad == 0 && e->job->n < e->tile;
}

static bool unwritten(const evidence *e)
{
    return e->bad && e->result->unwritten;
}

static bool spine(const evidence *e)
{
    return e->bad && e->tile > 1 && e->first_bad >= e->tile * e->tile;
}

static bool carry_of_first(const evidence *e)
{
    return e->bad && e->tile > 1 && e->first_bad == e->tile;
}

static bool carry_of_later(const evidence *e)
{
    return e->bad && e->tile > 1 && e->first_bad > 0 && e->first_bad % e->tile == 0;
}

static bool behind_tile(const evidence *e)
{
    return e->bad && e->tile > 1 && e->first_bad > e->tile;
}

static bool inexact(const evidence *e)
{
    return e->bad && dtype_is_float(e->job->dtype);
}

/* In order: the first that it looks like. */
static const trap traps[] = {
    {misaligned, "vector accesses to host memory, which is aligned for its type alone"},
    {past_with_vt,
     "a tail that stores all vt values of its last thread; store those below n alone"},
    {past, "a last tile that is stored whole; store what lies below n alone"},
    {before, "an index below 0: a step that reaches further left than its tile"},
    {past_input, "the input taken for scratch, and as if it were a whole number of tiles"},
    {input, "the input taken for scratch; run must leave it as it is"},
    {scratch, "scratch that is too short: n is rarely a multiple of the tile, so round up"},
    {allocates, "scratch allocated in run, where create has to"},
    {hung_after_start, "a loop that is bounded by n where the tile is meant, or whose counter "
                       "overflows; or a barrier that not all threads reach"},
    {hung, "a call that waits for what never comes"},
    {crashed_on_nothing, "n = 0: there is no last element, and no grid of zero blocks"},
    {exited, "a call of exit: a plugin returns a status and its reason (host->fail)"},
    {crashed, "an index out of range, or memory that was given back; repeat it in a debugger or "
              "with -fsanitize=address"},
    {garbage, "a write into a descriptor that is not the plugin's"},
    {no_kernel, "a kernel that does not compile, or has another name"},
    {refused, "what supports accepts, create and run must do; refuse it there, in words"},
    {narrow, "an index or a count too narrow for n, which has 64 bits"},
    {repeated_unwritten, "an answer given to the first call alone"},
    {in_place, "elements written before others have read them; do not declare "
               "SCAN_FLAG_IN_PLACE"},
    {repeated, "a run that goes on from the one before; each starts anew from its input"},
    {nothing_written,
     "a tail that is left out where n is less than a tile, or a type or an operator "
     "that run does not do"},
    {whole, "a last tile that is left out where n is a multiple of the tile"},
    {tail, "a tail that is left out: work-items that return early for i >= n, or tiles rounded "
           "down"},
    {unwritten, "work that was not done, or not yet when run returned"},
    {half_written, "elements of another width than the dtype's"},
    {exclusive, "an exclusive scan where the inclusive one is asked for"},
    {inclusive, "an inclusive scan where the exclusive one is asked for: y[0] is the identity"},
    {saturated, "a sum that stops at its type's end; integer sums wrap, so add as unsigned"},
    {identity, "a wrong identity; that of max is the least value, of min the greatest"},
    {unsigned_order, "signed values compared as unsigned ones"},
    {no_power_of_two, "a tree that needs a power of two; do every block, or refuse it in supports"},
    {baked, "a constant that is right for one setting of a tunable"},
    {swapped, "swapped operands: affine does not commute, so what lies left stays left"},
    {neighbours, "neighbours added, y[i] = x[i] + x[i-1], which is no scan"},
    {spine, "tile totals scanned by one block; the spine must take any length"},
    {carry_of_first, "a wrong carry into the second tile: a total lost before a barrier, a tree's "
                     "step that shifts too far, or the inclusive scan of the totals"},
    {carry_of_later, "a carry that joins a tile to the one before it alone"},
    {behind_tile, "a wrong carry into a tile, whose total does not cover all of it"},
    {inexact, "sums that are rounded where a sum of neighbours is exact"},
};

static evidence gather(const proof *p)
{
    const job *j = &p->failure.job;
    const lane_result *r = &p->failure.result;
    evidence e = {.p = p, .job = j, .result = r};
    const proof_tile tile = proof_tile_of(p, j);
    e.block = tile.block;
    e.vt = tile.vt;
    e.tile = tile.elements;
    e.crashed = strcmp(r->status, "crashed") == 0;
    e.hung = strcmp(r->status, "timeout") == 0;
    e.bad = r->has_first_bad;
    e.first_bad = r->first_bad;
    return e;
}

const char *proof_trap(const proof *p)
{
    const evidence e = gather(p);
    const bool answers = p->failure.has_job && p->failure.job.mode == JOB_CHECK;
    for (size_t i = 0; answers && i < sizeof traps / sizeof *traps; i++)
        if (traps[i].looks(&e))
            return traps[i].text;
    if (strcmp(p->failure.result.status, "unavailable") == 0)
        return "no mistake of the plugin: what it needs is not here";
    return p->claim->mistake;
}
