/*
 * diagnosis.c - guesses which known mistake caused a failure
 *
 * A failure happened in one way, and facts are known about it: how the configuration ran, on what
 * input, which value the first wrong element has, where it lies. Each mistake says which facts it
 * needs and which must not hold because they tell more, so that no two mistakes fit one failure.
 */
#include "proof/diagnosis_facts.h"

#include "proof/claim.h"

static const char far_away[] = "a write far from the buffer: a pointer that is not valid, or an "
                               "index that does not come from n";
static const char empty[] = "n = 0: there is no last element, and no grid of zero blocks";

const proof_mistake proof_mistakes[] = {
    {FAULT_WROTE_BEFORE, FAR, 0, far_away},
    {FAULT_WROTE_BEFORE, 0, FAR,
     "an index below 0: a step that reaches further left than its tile"},
    {FAULT_WROTE_PAST, FAR, 0, far_away},
    {FAULT_WROTE_PAST, OUTPUT | IN_PADDING | SEVERAL, FAR,
     "a tail that stores all vt values of its last thread; store only those below n"},
    {FAULT_WROTE_PAST, OUTPUT | IN_PADDING, FAR | SEVERAL,
     "a last tile that is stored whole; store only what lies below n"},
    {FAULT_WROTE_PAST, OUTPUT, FAR | IN_PADDING, "an index past the end of the output"},
    {FAULT_WROTE_PAST, INPUT | IN_PADDING, FAR,
     "the input used as scratch, as if it were a whole number of tiles long"},
    {FAULT_WROTE_PAST, INPUT, FAR | IN_PADDING,
     "an index past the end of the input, which run must leave as it is"},
    {FAULT_INACCURATE, 0, 0,
     "a carry or a total that is rounded to the type of the elements on its way"},
    {FAULT_INPUT_CHANGED, 0, 0, "the input used as scratch; run must leave it as it is"},
    {FAULT_SCRATCH_OVERRUN, 0, 0,
     "scratch that is too short: n is rarely a multiple of the tile, so round up"},
    {FAULT_ALLOCATED_IN_RUN, 0, 0, "scratch allocated in run; allocate it in create"},
    {FAULT_SILENT, IN_RUN, 0,
     "a loop that is bounded by n where the tile is meant, or whose counter overflows; or a "
     "barrier that not all threads reach"},
    {FAULT_SILENT, 0, IN_RUN, "a call that waits for something that never happens"},
    {FAULT_LOST, AT_FENCE, 0,
     "an element read or written before the first or behind the last; the memory there need not "
     "exist"},
    {FAULT_LOST, NOTHING, AT_FENCE, empty},
    {FAULT_LOST, 0, AT_FENCE | NOTHING,
     "an index out of range, or memory that was freed; repeat the failure in a debugger or with "
     "-fsanitize=address"},
    {FAULT_EXITED, NOTHING, 0, empty},
    {FAULT_EXITED, 0, NOTHING, "a call of exit; return a status and a reason (host->fail) instead"},
    {FAULT_MALFORMED, 0, 0, "a write into a descriptor that is not the plugin's"},
    {FAULT_CALL_FAILED, IN_CREATE, 0,
     "create and run must do what supports accepts, so refuse it in supports, with a reason; or a "
     "kernel that does not compile"},
    {FAULT_CALL_FAILED, IN_CALL, 0,
     "create and run must do what supports accepts; refuse it there, with a reason"},
    {FAULT_REFUSED_SILENTLY, 0, 0, "a refusal without a reason; end it with host->fail"},

    {FAULT_RETURNED_EARLY, IN_PARTS, 0,
     "a part that run does not wait for: all must be done when it returns"},
    {FAULT_NO_TILE, IN_PARTS, 0, "a tile that depends on more than the problem, or that is 0"},
    {FAULT_WROTE_PAST_PART, IN_PARTS, 0,
     "an index past the end of a part: the last parts are shorter, or empty"},
    {FAULT_WRONG_ELEMENTS, IN_PARTS | FROM_PART | UNWRITTEN, 0, "a part that is left out"},
    {FAULT_WRONG_ELEMENTS, IN_PARTS | FROM_PART, UNWRITTEN,
     "a wrong carry into a part: it is the total of all parts before it"},

    {FAULT_WRONG_ELEMENTS, AT_WRAP, 0, "an index or a count too narrow for n, which has 64 bits"},
    {FAULT_WRONG_ELEMENTS, REPEATED | UNWRITTEN, AT_WRAP, "an answer given to the first call only"},
    {FAULT_WRONG_ELEMENTS, REPEATED, AT_WRAP | UNWRITTEN | IN_PLACE,
     "a run that continues from the one before; each must start anew from its input"},
    {FAULT_WRONG_ELEMENTS, IN_PLACE, AT_WRAP | UNWRITTEN,
     "elements written before others have read them; do not declare SCAN_FLAG_IN_PLACE"},
    {FAULT_WRONG_ELEMENTS, UNWRITTEN | ALL_LEFT, AT_WRAP | REPEATED,
     "a tail that is left out where n is less than a tile, or a type or an operator that run does "
     "not do"},
    {FAULT_WRONG_ELEMENTS, UNWRITTEN | TILE_LEFT, AT_WRAP | REPEATED,
     "a last tile that is left out where n is a multiple of the tile"},
    {FAULT_WRONG_ELEMENTS, UNWRITTEN | TAIL_LEFT, AT_WRAP | REPEATED,
     "a tail that is left out: work-items that return early for i >= n, or tiles rounded down"},
    {FAULT_WRONG_ELEMENTS, UNWRITTEN, AT_WRAP | REPEATED | ALL_LEFT | TILE_LEFT | TAIL_LEFT,
     "work that was not done, or not finished when run returned"},
    {FAULT_WRONG_ELEMENTS, MARKS, OF_WRITES,
     "a result such as 0 or -1 taken for the mark of a tile that is not done; keep the mark apart "
     "from the value"},
    {FAULT_WRONG_ELEMENTS, CLOSE, OF_WRITES,
     "values compared as another type, which takes some that differ for equal"},
    {FAULT_WRONG_ELEMENTS, SUBNORMALS, OF_WRITES,
     "subnormal floats flushed to 0, as -ftz=true, -ffast-math or -cl-denorms-are-zero do; keep "
     "them, or refuse floats in supports"},
    {FAULT_WRONG_ELEMENTS, NANS, OF_WRITES,
     "a NaN that changes what lies before it, or is lost behind it: a product with 0 that masks "
     "it, "
     "or an order that has no place for it"},
    {FAULT_WRONG_ELEMENTS, FACTORS, OF_WRITES,
     "factors rounded to fewer bits than the dtype has, or treated in other ways by their values"},
    {FAULT_WRONG_ELEMENTS, GROWING, OF_WRITES,
     "sums in a wider type that is not exact for them, as floats are not, or that ends too early"},
    {FAULT_WRONG_ELEMENTS, FROM_SCRATCH, OF_INPUT,
     "scratch that was never written, assumed to hold zeros"},
    {FAULT_WRONG_ELEMENTS, INCLUSIVE, OF_INPUT | FROM_SCRATCH,
     "an inclusive scan where the exclusive one is asked for: y[0] is the identity"},
    {FAULT_WRONG_ELEMENTS, ROUNDED, OF_SCAN, "values rounded to fewer bits than the dtype has"},
    {FAULT_WRONG_ELEMENTS, BESIDE, OF_SCAN,
     "sums cut off, or rounded to 16 bits more than once, as in an accumulator of the elements' "
     "type; make them in f32, and round once, to nearest, ties to even"},
    {FAULT_WRONG_ELEMENTS, OVERFLOWED, OF_SCAN,
     "a carry or a total kept in the type of the elements, in which it becomes infinite"},
    {FAULT_WRONG_ELEMENTS, SATURATED, OF_SCAN,
     "a sum that stops at its type's end; integer sums wrap, so add as unsigned"},
    {FAULT_WRONG_ELEMENTS, FINITE, OF_SCAN,
     "the largest finite value taken for the type's end; floats end at the infinities"},
    {FAULT_WRONG_ELEMENTS, IDENTITY, OF_SCAN | FINITE,
     "a wrong identity; that of max is the least value, of min the greatest"},
    {FAULT_WRONG_ELEMENTS, UNSIGNED, OF_SCAN | IDENTITY, "signed values compared as unsigned ones"},
    {FAULT_WRONG_ELEMENTS, SIGNED, OF_SCAN | IDENTITY, "unsigned values compared as signed ones"},
    {FAULT_WRONG_ELEMENTS, CARRIED, OF_SCAN,
     "packed elements added as one word, so that carries go from one element into the next of the "
     "same word"},
    {FAULT_WRONG_ELEMENTS, NARROWER, OF_SCAN, "an accumulator of fewer bits than the dtype has"},
    {FAULT_WRONG_ELEMENTS, ODD_BLOCK, OF_VALUE,
     "a tree that needs a power of two; do every block, or refuse it in supports"},
    {FAULT_WRONG_ELEMENTS, OTHER_SETTING, OF_VALUE | ODD_BLOCK,
     "a constant that is right for one setting of a tunable"},
    {FAULT_WRONG_ELEMENTS, NOT_A_NUMBER, OF_SETTING,
     "a division by a product of factors, of which one may be 0"},
    {FAULT_WRONG_ELEMENTS, SWAPPED, OF_SETTING | NOT_A_NUMBER,
     "swapped operands: this operator does not commute, so the left one must stay left"},
    {FAULT_WRONG_ELEMENTS, NEIGHBOURS, OF_SETTING | NOT_A_NUMBER | SWAPPED,
     "neighbours added, y[i] = x[i] + x[i-1], which is not a scan"},
    {FAULT_WRONG_ELEMENTS, OVERWRITTEN, OF_SETTING | NOT_A_NUMBER | SWAPPED | NEIGHBOURS,
     "elements overwritten before others have read them: input and output are one buffer"},
    {FAULT_WRONG_ELEMENTS, END_OF_TILES, OF_OPERANDS,
     "an empty tail that is processed although n is a multiple of the tile"},
    {FAULT_WRONG_ELEMENTS, END_ALONE, OF_OPERANDS,
     "the end of the array: its last element is wrong, and no other"},
    {FAULT_WRONG_ELEMENTS, BEYOND_SPINE, OF_OPERANDS,
     "tile totals scanned by one block; the spine must take any length"},
    {FAULT_WRONG_ELEMENTS, SECOND_TILE, OF_OPERANDS,
     "a wrong carry into the second tile: a total lost before a barrier, a tree's step that shifts "
     "too far, or the inclusive scan of the totals"},
    {FAULT_WRONG_ELEMENTS, LATER_TILE, OF_OPERANDS, "a carry that covers only the tile before"},
    {FAULT_WRONG_ELEMENTS, IN_ROWS | ROW_LEFT, 0,
     "rows that are left out: a grid or a loop that covers too few of them"},
    {FAULT_WRONG_ELEMENTS, IN_ROWS | GOES_ON | TO_THE_END, ROW_LEFT,
     "a carry that goes on into the next row"},
    {FAULT_WRONG_ELEMENTS, IN_ROWS | GOES_ON, ROW_LEFT | TO_THE_END,
     "a row that writes past its end, into the next one"},
    {FAULT_WRONG_ELEMENTS, IN_ROWS | ROW_END_LEFT, ROW_LEFT | GOES_ON | IN_PLACE | REPEATED,
     "a word that one row ends in and the next one begins in, stored whole, with what was there "
     "before"},
    {FAULT_WRONG_ELEMENTS, IN_ROWS | IN_PLACE, ROW_LEFT | GOES_ON,
     "elements written before others have read them; do not declare SCAN_FLAG_IN_PLACE"},
    {FAULT_WRONG_ELEMENTS, IN_ROWS | REPEATED, ROW_LEFT | GOES_ON | IN_PLACE,
     "a run that continues from the one before; each must start anew from its input"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | AT_STRIDE, 0,
     "results stored with the stride of the input; they are wider"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | UNEXTENDED, AT_STRIDE,
     "signed elements taken for unsigned ones: extend the sign where they are converted"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | FROM_TILE, AT_STRIDE | UNEXTENDED,
     "a carry or a total of a tile kept in the type of the input"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | AT_TAIL, AT_STRIDE | UNEXTENDED | FROM_TILE,
     "elements of the tail that are not converted as those before it"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | NARROWER, AT_STRIDE | UNEXTENDED | FROM_TILE | AT_TAIL,
     "sums that wrap in fewer bits than the result has; convert each element, then add"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | ROUNDED,
     AT_STRIDE | UNEXTENDED | FROM_TILE | AT_TAIL | NARROWER,
     "sums rounded in the type of the input; convert each element, then add"},
    {FAULT_WRONG_ELEMENTS, IN_RESULTS | GROWING,
     AT_STRIDE | UNEXTENDED | FROM_TILE | AT_TAIL | NARROWER | ROUNDED,
     "sums in another type than the result's, which ends too early, or is not exact as floats are "
     "not"},
};
const size_t proof_mistake_count = sizeof proof_mistakes / sizeof *proof_mistakes;

/* Faults that tell no more than another. */
static const fault_code same_as[FAULT_COUNT] = {
    [FAULT_KILLED] = FAULT_LOST,
    [FAULT_NO_MEMORY] = FAULT_CALL_FAILED,
    [FAULT_RANKS_RETURNED_EARLY] = FAULT_RETURNED_EARLY,
    [FAULT_LATE_WRITE] = FAULT_RETURNED_EARLY,
    [FAULT_TILE_CHANGED] = FAULT_NO_TILE,
    [FAULT_WROTE_BEFORE_PART] = FAULT_WROTE_PAST_PART,
    [FAULT_SCRATCH_UNDERRUN] = FAULT_WROTE_BEFORE,
};

const char *proof_diagnose_among(const proof *p, const proof_mistake *mistakes, size_t count)
{
    const job *j = &p->failure.job;
    const fault *f = &p->failure.fault;
    const evidence e = {p, j, f, proof_tile_of(p, j), job_elements(j)};
    const bool in_parts = p->claim->test == proof_test_parts;
    const bool element = fault_has_element(f) && f->code != FAULT_INACCURATE;
    /* What is right at smaller n, or on aligned buffers, has none of these mistakes. */
    const bool answers = j->mode == JOB_CHECK && p->claim->test != proof_test_large &&
                         p->claim->test != proof_test_misaligned;
    if (f->code == FAULT_BUILD_CHANGED)
        return "not a mistake of the plugin: its file was changed meanwhile; prove it again";
    if (p->failure.has_job && (answers || (in_parts && !element))) {
        const fault_code code = element            ? FAULT_WRONG_ELEMENTS
                                : same_as[f->code] ? same_as[f->code]
                                                   : f->code;
        const uint64_t facts =
            (element ? diagnosis_facts_of_element(&e) : diagnosis_facts_of_call(&e)) |
            fact(in_parts, IN_PARTS);
        for (size_t i = 0; i < count; i++)
            if (mistakes[i].code == code &&
                (facts & (mistakes[i].needs | mistakes[i].lacks | IN_PARTS | IN_ROWS |
                          IN_RESULTS)) == mistakes[i].needs)
                return mistakes[i].text;
    }
    if (p->failure.has_job && !element && j->mode == JOB_BEHAVE &&
        p->claim->test == proof_test_results && proof_about(j->behave.behaviour))
        return proof_about(j->behave.behaviour)->mistake;
    if (p->failure.status == ROW_UNAVAILABLE && !in_parts)
        return "not a mistake of the plugin: what it needs is missing here";
    return p->claim->mistake;
}

const char *proof_diagnose(const proof *p)
{
    return proof_diagnose_among(p, proof_mistakes, proof_mistake_count);
}
