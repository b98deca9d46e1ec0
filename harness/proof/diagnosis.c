#include "proof/diagnosis.h"

#include "problem/element.h"
#include "proof/claim.h"
#include "proof/symptoms.h"
#include "scan_parts.h"

#include <string.h>

typedef struct mistake {
    bool (*looks)(const proof_evidence *e);
    const char *text;
} mistake;

static bool is(const proof_evidence *e, fault_code code)
{
    return e->fault->code == code;
}

/* How many elements of the last tile lie behind n. */
static uint64_t padding(const proof_evidence *e)
{
    return e->job->n > 0 ? (e->tile - e->job->n % e->tile) % e->tile : e->tile;
}

/* How many whole elements lie between the buffer and the write outside it. */
static uint64_t distance(const proof_evidence *e)
{
    return e->fault->bytes / dtype_bytes(e->job->dtype);
}

/* Further away than any step of the tile reaches. */
static bool far_away(const proof_evidence *e)
{
    return (is(e, FAULT_WROTE_PAST) || is(e, FAULT_WROTE_BEFORE)) && distance(e) > e->tile;
}

static bool behind_output(const proof_evidence *e)
{
    return is(e, FAULT_WROTE_PAST) && e->fault->buffer == FAULT_OUTPUT;
}

static bool past_output(const proof_evidence *e)
{
    return behind_output(e) && distance(e) < padding(e);
}

static bool past_output_with_vt(const proof_evidence *e)
{
    return past_output(e) && e->vt > 1;
}

static bool before(const proof_evidence *e)
{
    return is(e, FAULT_WROTE_BEFORE);
}

static bool behind_input(const proof_evidence *e)
{
    return is(e, FAULT_WROTE_PAST) && e->fault->buffer == FAULT_INPUT;
}

static bool past_input(const proof_evidence *e)
{
    return behind_input(e) && distance(e) < padding(e);
}

static bool input(const proof_evidence *e)
{
    return is(e, FAULT_INPUT_CHANGED);
}

static bool scratch_underrun(const proof_evidence *e)
{
    return is(e, FAULT_SCRATCH_UNDERRUN);
}

static bool scratch_overrun(const proof_evidence *e)
{
    return is(e, FAULT_SCRATCH_OVERRUN);
}

static bool allocates(const proof_evidence *e)
{
    return is(e, FAULT_ALLOCATED_IN_RUN);
}

static bool hung(const proof_evidence *e)
{
    return is(e, FAULT_SILENT);
}

static bool hung_in_run(const proof_evidence *e)
{
    return hung(e) && e->fault->step == STEP_RUN;
}

static bool crashed(const proof_evidence *e)
{
    return is(e, FAULT_LOST) || is(e, FAULT_KILLED);
}

static bool exited(const proof_evidence *e)
{
    return is(e, FAULT_EXITED);
}

static bool crashed_on_nothing(const proof_evidence *e)
{
    return (crashed(e) || exited(e)) && e->job->n == 0;
}

static bool crashed_at_fence(const proof_evidence *e)
{
    return crashed(e) && e->job->fence != FENCE_NONE && e->fault->step == STEP_RUN;
}

static bool misaligned(const proof_evidence *e)
{
    return e->job->misalign || e->job->misalign_out;
}

static bool malformed(const proof_evidence *e)
{
    return is(e, FAULT_MALFORMED);
}

static bool call_failed(const proof_evidence *e)
{
    return is(e, FAULT_CALL_FAILED) || is(e, FAULT_NO_MEMORY);
}

static bool create_failed(const proof_evidence *e)
{
    return call_failed(e) && e->fault->step == STEP_CREATE;
}

static bool refused(const proof_evidence *e)
{
    return call_failed(e) && (e->fault->step == STEP_SUPPORTS || e->fault->step == STEP_RUN);
}

static bool refused_silently(const proof_evidence *e)
{
    return is(e, FAULT_REFUSED_SILENTLY);
}

/* ---- in several parts ------------------------------------------------------ */

/* The elements of a slice; 0 where the parts are not contiguous, or there is one part. */
static uint64_t slice_of(const proof_evidence *e)
{
    const plugin_info *plugin = e->p->session->plugin;
    const int at = proof_parts_index(plugin);
    if (at < 0 || e->job->tunables[at] < 2 || plugin->layout != SCAN_LAYOUT_CONTIGUOUS)
        return 0;
    return scan_parts_slice(e->job->n, (uint32_t)e->job->tunables[at]);
}

static bool outside_part(const proof_evidence *e)
{
    return is(e, FAULT_WROTE_PAST_PART) || is(e, FAULT_WROTE_BEFORE_PART);
}

/* Does what is wrong begin with a part that is not the first? */
static bool begins_with_part(const proof_evidence *e)
{
    const uint64_t slice = slice_of(e);
    return e->bad && slice > 0 && e->first_bad > 0 && e->first_bad % slice == 0;
}

static bool part_unwritten(const proof_evidence *e)
{
    return begins_with_part(e) && e->unwritten;
}

static bool part_unfinished(const proof_evidence *e)
{
    return is(e, FAULT_RETURNED_EARLY) || is(e, FAULT_RANKS_RETURNED_EARLY) ||
           is(e, FAULT_LATE_WRITE);
}

static bool wrong_tile(const proof_evidence *e)
{
    return is(e, FAULT_NO_TILE) || is(e, FAULT_TILE_CHANGED);
}

static const mistake part_mistakes[] = {
    {part_unfinished, "a part that run does not wait for: all must be done when it returns"},
    {wrong_tile, "a tile that depends on more than the problem, or that is 0"},
    {outside_part, "an index past the end of a part: the last parts are shorter, or empty"},
    {part_unwritten, "a part that is left out"},
    {begins_with_part, "a wrong carry into a part: it is the total of all parts before it"},
};

/* In order: the first entry that matches is the diagnosis. */
static const mistake mistakes[] = {
    {misaligned, "vector accesses to host memory, which is aligned only for its type"},
    {crashed_at_fence, "an element read or written before the first or behind the last; the memory "
                       "there need not exist"},
    {far_away,
     "a write far from the buffer: a pointer that is not valid, or an index that does not "
     "come from n"},
    {past_output_with_vt,
     "a tail that stores all vt values of its last thread; store only those below n"},
    {past_output, "a last tile that is stored whole; store only what lies below n"},
    {behind_output, "an index past the end of the output"},
    {before, "an index below 0: a step that reaches further left than its tile"},
    {past_input, "the input used as scratch, as if it were a whole number of tiles long"},
    {behind_input, "an index past the end of the input, which run must leave as it is"},
    {input, "the input used as scratch; run must leave it as it is"},
    {scratch_underrun,
     "an index below 0 in scratch: a step that reaches further left than its tile"},
    {scratch_overrun, "scratch that is too short: n is rarely a multiple of the tile, so round up"},
    {allocates, "scratch allocated in run; allocate it in create"},
    {hung_in_run, "a loop that is bounded by n where the tile is meant, or whose counter "
                  "overflows; or a barrier that not all threads reach"},
    {hung, "a call that waits for something that never happens"},
    {crashed_on_nothing, "n = 0: there is no last element, and no grid of zero blocks"},
    {exited, "a call of exit; return a status and a reason (host->fail) instead"},
    {crashed,
     "an index out of range, or memory that was freed; repeat the failure in a debugger or with "
     "-fsanitize=address"},
    {malformed, "a write into a descriptor that is not the plugin's"},
    {create_failed, "create and run must do what supports accepts, so refuse it in supports, with "
                    "a reason; or a kernel that does not compile"},
    {refused_silently, "a refusal without a reason; end it with host->fail"},
    {refused, "create and run must do what supports accepts; refuse it there, with a reason"},
    {proof_looks_narrow, "an index or a count too narrow for n, which has 64 bits"},
    {proof_looks_repeated_unwritten, "an answer given to the first call only"},
    {proof_looks_in_place, "elements written before others have read them; do not declare "
                           "SCAN_FLAG_IN_PLACE"},
    {proof_looks_repeated,
     "a run that continues from the one before; each must start anew from its input"},
    {proof_looks_nothing_written,
     "a tail that is left out where n is less than a tile, or a type or an operator "
     "that run does not do"},
    {proof_looks_whole, "a last tile that is left out where n is a multiple of the tile"},
    {proof_looks_tail,
     "a tail that is left out: work-items that return early for i >= n, or tiles rounded "
     "down"},
    {proof_looks_unwritten, "work that was not done, or not finished when run returned"},
    {proof_looks_half_written, "elements of another width than the dtype's"},
    {proof_looks_marked, "a result such as 0 or -1 taken for the mark of a tile that is not done; "
                         "keep the mark apart from the value"},
    {proof_looks_coarse_order, "values compared as another type, which takes some that differ for "
                               "equal"},
    {proof_looks_flushed, "subnormal floats flushed to 0, as -ftz=true, -ffast-math or "
                          "-cl-denorms-are-zero do; keep them, or refuse floats in supports"},
    {proof_looks_fresh_scratch, "scratch that was never written, assumed to hold zeros"},
    {proof_looks_rounded, "values rounded to fewer bits than the dtype has"},
    {proof_looks_exclusive, "an exclusive scan where the inclusive one is asked for"},
    {proof_looks_inclusive,
     "an inclusive scan where the exclusive one is asked for: y[0] is the identity"},
    {proof_looks_saturated,
     "a sum that stops at its type's end; integer sums wrap, so add as unsigned"},
    {proof_looks_finite, "the largest finite value taken for the type's end; floats end at the "
                         "infinities"},
    {proof_looks_identity, "a wrong identity; that of max is the least value, of min the greatest"},
    {proof_looks_unsigned_order, "signed values compared as unsigned ones"},
    {proof_looks_no_power_of_two,
     "a tree that needs a power of two; do every block, or refuse it in supports"},
    {proof_looks_baked, "a constant that is right for one setting of a tunable"},
    {proof_looks_divided, "a division by a product of factors, of which one may be 0"},
    {proof_looks_swapped,
     "swapped operands: this operator does not commute, so the left one must stay left"},
    {proof_looks_neighbours, "neighbours added, y[i] = x[i] + x[i-1], which is not a scan"},
    {proof_looks_overwritten, "elements overwritten before others have read them: input and output "
                              "are one buffer"},
    {proof_looks_empty_tail, "an empty tail that is processed although n is a "
                             "multiple of the tile"},
    {proof_looks_last_alone, "the end of the array: its last element is wrong, and no other"},
    {proof_looks_spine, "tile totals scanned by one block; the spine must take any length"},
    {proof_looks_carry_of_first,
     "a wrong carry into the second tile: a total lost before a barrier, a tree's "
     "step that shifts too far, or the inclusive scan of the totals"},
    {proof_looks_carry_of_later, "a carry that covers only the tile before"},
    {proof_looks_behind_tile, "a wrong carry: a tile's total does not cover the whole tile"},
};

/* Is one element wrong that stands for no others? A carry that is lost begins with a tile. */
static bool is_lone(const proof *p, uint64_t tile)
{
    const fault *f = &p->failure.fault;
    if (f->count != 1)
        return false;
    if (p->failure.has_wider)
        return p->failure.wider.count <= 1;
    return f->index + 1 != p->failure.job.n || f->index % tile != 0;
}

/* In place nothing is poisoned: are the first and the last wrong element still the input's? Of a
 * single element a larger n tells more: an inclusive scan leaves the first as it is, too. */
static bool is_untouched(const proof *p)
{
    const job *j = &p->failure.job;
    const fault *f = p->failure.has_wider ? &p->failure.wider : &p->failure.fault;
    const bool in_place = j->in_place || p->session->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    const uint64_t indices[] = {f->index, f->last};
    if (!in_place || j->mode != JOB_CHECK || !fault_has_element(f))
        return false;
    input_spec spec = job_input(j, j->pattern);
    spec.n = f->total;
    for (size_t i = 0; i < 2; i++) {
        any_element given = {0};
        input_fill(&spec, indices[i], 1, &given);
        if (memcmp(&given, i == 0 ? (const void *)&f->got : &f->last_got,
                   dtype_bytes(spec.dtype)) != 0)
            return false;
    }
    return true;
}

static proof_evidence gather(const proof *p)
{
    const proof_tile tile = proof_tile_of(p, &p->failure.job);
    return (proof_evidence){.p = p,
                            .job = &p->failure.job,
                            .fault = &p->failure.fault,
                            .block = tile.block,
                            .vt = tile.vt,
                            .tile = tile.elements,
                            .bad = fault_has_element(&p->failure.fault),
                            .unwritten = p->failure.fault.code == FAULT_UNWRITTEN_ELEMENTS ||
                                         is_untouched(p),
                            .lone = is_lone(p, tile.elements),
                            .first_bad = p->failure.fault.index};
}

const char *proof_diagnose(const proof *p)
{
    const proof_evidence e = gather(p);
    /* What is right at smaller n has none of these mistakes. */
    const bool is_large = p->claim->test == proof_test_large;
    const bool answers = p->failure.has_job && p->failure.job.mode == JOB_CHECK && !is_large;
    if (p->failure.fault.code == FAULT_BUILD_CHANGED)
        return "not a mistake of the plugin: its file was changed meanwhile; prove it again";
    /* What is right in one part has none of the others, either. */
    if (p->claim->test == proof_test_parts) {
        const bool told = answers || (p->failure.has_job && !e.bad);
        for (size_t i = 0; told && i < sizeof part_mistakes / sizeof *part_mistakes; i++)
            if (part_mistakes[i].looks(&e))
                return part_mistakes[i].text;
        return p->claim->mistake;
    }
    for (size_t i = 0; answers && i < sizeof mistakes / sizeof *mistakes; i++)
        if (mistakes[i].looks(&e))
            return mistakes[i].text;
    if (p->failure.status == ROW_UNAVAILABLE)
        return "not a mistake of the plugin: what it needs is missing here";
    return p->claim->mistake;
}
