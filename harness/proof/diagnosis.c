/*
 * diagnosis.c - guesses which known mistake caused a failure
 *
 * A failure happened in one way, and facts are known about it: how the configuration ran, on what
 * input, which value the first wrong element has, where it lies. Each mistake says which facts it
 * needs and which must not hold because they tell more, so that no two mistakes fit one failure.
 */
#include "proof/claim.h"

#include "problem/element.h"
#include "problem/guard.h"
#include "problem/op_scan.h"
#include "scan_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FACT(bit) (UINT64_C(1) << (bit))

/* Of writes, crashes and calls. */
#define IN_PADDING FACT(0) /* behind n, in the last tile */
#define SEVERAL FACT(1)    /* a thread has more than one value */
#define AT_FENCE FACT(2)   /* in run, with inaccessible pages beside the buffers */
#define NOTHING FACT(3)    /* n = 0 */
#define IN_CREATE FACT(4)  /* the call that failed, here and below */
#define IN_CALL FACT(5)    /* supports or run */
#define IN_RUN FACT(6)
#define FAR FACT(7)     /* from the buffer, further than a step of the tile reaches */
#define OUTPUT FACT(40) /* the buffer */
#define INPUT FACT(41)
#define IN_PARTS FACT(42) /* in several parts; what is right in one has no other mistake */

/* How the configuration ran. */
#define AT_WRAP FACT(8) /* an index or n in fewer bits ends here */
#define REPEATED FACT(9)
#define IN_PLACE FACT(10)
#define OF_RUN (AT_WRAP | REPEATED | IN_PLACE)

/* What was written. */
#define UNWRITTEN FACT(11)
#define OF_WRITES (OF_RUN | UNWRITTEN)
#define ALL_LEFT FACT(13)  /* of less than a tile */
#define TILE_LEFT FACT(14) /* the last of whole tiles */
#define TAIL_LEFT FACT(15)
#define FROM_PART FACT(16) /* from the start of a part that is not the first */

/* Inputs that come after others, which were right. */
#define MARKS FACT(17)
#define CLOSE FACT(18)
#define SUBNORMALS FACT(19)
#define NANS FACT(43)
#define FACTORS FACT(44)
#define GROWING FACT(50)

/* In many scans; what is right in one has no other mistake. */
#define IN_ROWS FACT(45)
#define GOES_ON FACT(46)      /* what comes where the scan before goes on */
#define TO_THE_END FACT(47)   /* the last wrong element is the last of a scan */
#define ROW_LEFT FACT(48)     /* from the first element of a row on nothing was written */
#define ROW_END_LEFT FACT(49) /* nor where the row ends, in a word that the next one begins in */
#define OF_INPUT (OF_WRITES | MARKS | CLOSE | SUBNORMALS | NANS | FACTORS | GROWING)

/* The value of the first wrong element. */
#define FROM_SCRATCH FACT(20) /* with which the host fills scratch */
#define ROUNDED FACT(21)
#define INCLUSIVE FACT(23) /* of that kind instead, as is the last */
#define SATURATED FACT(24)
#define FINITE FACT(25)
#define IDENTITY FACT(26)
#define UNSIGNED FACT(27)
#define SIGNED FACT(22)
#define CARRIED FACT(12)  /* one more than right, in a type of which a word holds several */
#define NARROWER FACT(39) /* the lowest bits of what is right, extended */
#define OF_SCAN (OF_INPUT | FROM_SCRATCH | INCLUSIVE)
#define OF_VALUE \
    (OF_SCAN | ROUNDED | SATURATED | FINITE | IDENTITY | UNSIGNED | SIGNED | CARRIED | NARROWER)

/* Settings of tunables other than the default ones, which were right. */
#define ODD_BLOCK FACT(28)
#define OTHER_SETTING FACT(29)
#define OF_SETTING (OF_VALUE | ODD_BLOCK | OTHER_SETTING)

/* Which operands were combined. */
#define NOT_A_NUMBER FACT(30)
#define SWAPPED FACT(31)
#define NEIGHBOURS FACT(32)
#define OVERWRITTEN FACT(33)
#define OF_OPERANDS (OF_SETTING | NOT_A_NUMBER | SWAPPED | NEIGHBOURS | OVERWRITTEN)

/* Where the first wrong element lies: at most one of these. */
#define END_OF_TILES FACT(34) /* the last element of whole tiles */
#define END_ALONE FACT(35)    /* nothing but the last element */
#define BEYOND_SPINE FACT(36) /* a tile of tiles or more before it */
#define SECOND_TILE FACT(37)
#define LATER_TILE FACT(38)

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
};
const size_t proof_mistake_count = sizeof proof_mistakes / sizeof *proof_mistakes;

/* Of a machine, which holds several elements of fewer bytes. */
enum { WORD_BYTES = 4 };

/* What is known about a failure. */
typedef struct evidence {
    const proof *p;
    const job *job;
    const fault *fault;
    proof_tile tile;
    uint64_t n;
} evidence;

static uint64_t fact(bool holds, uint64_t bit)
{
    return holds ? bit : 0;
}

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

/* ---- facts about writes, crashes and calls ---------------------------------------- */

static uint64_t facts_of_call(const evidence *e)
{
    const uint64_t tile = e->tile.elements, step = e->fault->step;
    const uint64_t padding = e->n > 0 ? (tile - e->n % tile) % tile : tile;
    /* How many whole elements lie between the buffer and the write outside it. */
    const uint64_t distance = e->fault->bytes / dtype_bytes(e->job->dtype);
    return fact(distance < padding, IN_PADDING) | fact(distance > tile, FAR) |
           fact(e->fault->buffer == FAULT_OUTPUT, OUTPUT) |
           fact(e->fault->buffer == FAULT_INPUT, INPUT) | fact(e->tile.vt > 1, SEVERAL) |
           fact(e->job->run.fence != FENCE_NONE && step == STEP_RUN, AT_FENCE) |
           fact(e->n == 0, NOTHING) | fact(step == STEP_CREATE, IN_CREATE) |
           fact(step == STEP_RUN, IN_RUN) |
           fact(step == STEP_SUPPORTS || step == STEP_RUN, IN_CALL);
}

/* If n is cut to 16 or 32 bits, or to those of bytes, the remaining elements are right. A byte
 * index that is cut, or is signed, fails at a multiple of 2^28 elements (of up to 16 bytes). */
static bool is_at_wrap(const evidence *e, uint64_t index)
{
    const uint64_t wrap = UINT64_C(1) << 28, n = e->n;
    return (dtype_bytes(e->job->dtype) == 1 && n > UINT8_MAX && index == (n & UINT8_MAX)) ||
           (n > UINT16_MAX && index == (n & UINT16_MAX)) ||
           (n > wrap && index == (n & UINT32_MAX)) || (index >= wrap && index % wrap == 0);
}

/* Is a setting not the default, although the default is right? A block that a claim chooses for its
 * size is not meant. */
static bool has_other_setting(const evidence *e)
{
    const plugin_info *plugin = e->p->session->plugin;
    const int vt = tunable_info_index(plugin, "vt");
    const bool other_vt = vt >= 0 && e->job->tunables[vt] != plugin->tunables[vt].default_value;
    bool changed = false;
    for (uint32_t i = 0; i < e->job->tunable_count; i++)
        changed |= e->job->tunables[i] != plugin->tunables[i].default_value;
    return changed && (other_vt || e->p->claim->test == proof_test_tunables);
}

static uint64_t facts_of_configuration(const evidence *e)
{
    return fact(e->job->run.repeat > 1, REPEATED) | fact(e->job->run.in_place, IN_PLACE) |
           fact(e->job->run.pattern == INPUT_MARKS, MARKS) |
           fact(e->job->run.pattern == INPUT_CLOSE, CLOSE) |
           fact(e->job->run.pattern == INPUT_SUBNORMALS, SUBNORMALS) |
           fact(e->job->run.pattern == INPUT_NAN, NANS) |
           fact(e->job->run.pattern == INPUT_FACTORS, FACTORS) |
           fact(e->job->run.pattern == INPUT_GROWING, GROWING) |
           fact(e->tile.block & (e->tile.block - 1), ODD_BLOCK) |
           fact(has_other_setting(e), OTHER_SETTING);
}

/* ---- where elements are wrong ------------------------------------------------------- */

/* In place nothing is poisoned: are the first and the last wrong element still the input's? Of a
 * single element a larger n tells more: an inclusive scan leaves the first as it is, too. */
static bool is_untouched(const evidence *e)
{
    const fault *f = e->p->failure.has_wider ? &e->p->failure.wider : e->fault;
    const bool in_place =
        e->job->run.in_place || e->p->session->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
    if (!in_place || !fault_has_element(f))
        return false;
    input_spec spec = job_input(e->job, e->job->run.pattern);
    spec.n = f->total;
    const uint64_t indices[] = {f->index, f->last}, got[] = {f->got, f->last_got};
    for (size_t i = 0; i < 2; i++) {
        any_element given = {0};
        input_fill(&spec, indices[i], 1, &given);
        if (memcmp(&given, &got[i], dtype_bytes(spec.dtype)) != 0)
            return false;
    }
    return true;
}

/* Is one element wrong that stands for no others? A carry that is lost begins with a tile. */
static bool is_lone(const evidence *e)
{
    const fault *f = e->fault;
    if (f->count != 1)
        return false;
    if (e->p->failure.has_wider)
        return e->p->failure.wider.count <= 1;
    return f->index + 1 != e->n || f->index % e->tile.elements != 0;
}

/* A lost carry spoils many elements. */
static uint64_t place_of(const evidence *e)
{
    const uint64_t tile = e->tile.elements, first = e->fault->index;
    const bool at_end = first + 1 == e->n;
    if (at_end && tile != 1 && e->n % tile == 0)
        return END_OF_TILES;
    if (is_lone(e))
        return at_end ? END_ALONE : 0;
    if (first == 0 || tile == 1 || first < tile)
        return 0;
    if (first >= tile * tile)
        return BEYOND_SPINE;
    return first == tile ? SECOND_TILE : first % tile == 0 ? LATER_TILE : 0;
}

/* Does what is wrong begin with a part that is not the first? Only contiguous parts are slices. */
static bool begins_with_part(const evidence *e)
{
    const plugin_info *plugin = e->p->session->plugin;
    const int at = proof_parts_index(plugin);
    if (at < 0 || e->job->tunables[at] < 2 || plugin->layout != SCAN_LAYOUT_CONTIGUOUS)
        return false;
    const uint64_t slice = scan_parts_slice(e->n, (uint32_t)e->job->tunables[at]);
    return slice > 0 && e->fault->index > 0 && e->fault->index % slice == 0;
}

static uint64_t facts_of_place(const evidence *e)
{
    const uint64_t tile = e->tile.elements, first = e->fault->index;
    const bool unwritten = e->fault->code == FAULT_UNWRITTEN_ELEMENTS || is_untouched(e);
    return place_of(e) | fact(is_at_wrap(e, first), AT_WRAP) | fact(unwritten, UNWRITTEN) |
           fact(first == 0 && e->n < tile, ALL_LEFT) |
           fact(e->n % tile == 0 && first + tile == e->n, TILE_LEFT) |
           fact(e->n >= tile && first == e->n - e->n % tile, TAIL_LEFT) |
           fact(begins_with_part(e), FROM_PART) |
           fact(first > 0 && e->p->session->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY, OVERWRITTEN);
}

/* ---- which values they have ------------------------------------------------------------ */

static bool got_is(const evidence *e, const any_element *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, dtype_bytes(e->fault->dtype));
    return e->fault->got == bits;
}

/* A scalar float's value. */
static double float_of(const evidence *e, uint64_t bits)
{
    const uint32_t half = (uint32_t)bits;
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &half, sizeof narrow);
    return dtype_bytes(e->job->dtype) == sizeof wide ? wide : (double)narrow;
}

/* A scan up to there takes no time that anybody notices. */
enum { MOST_SCANNED = 1 << 22 };

/* Returns element `index` of the scan of inputs `from` ... n in a kind, where the operator takes
 * them for elements of another type of as many bytes; 0 where there is none. */
static any_element scan_as(const evidence *e, uint32_t dtype, uint64_t from, uint64_t index,
                           bool inclusive)
{
    enum { PIECE = 256 };
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    const size_t width = dtype_bytes(spec.dtype);
    any_element in[PIECE], out[PIECE], element;
    op_scan scan = {.op = spec.op,
                    .dtype = dtype,
                    .inclusive = inclusive,
                    .carry = op_identity(spec.op, spec.dtype)};
    memset(&element, 0, sizeof element);
    for (uint64_t at = from; at <= index; at += PIECE) {
        const uint64_t left = index + 1 - at;
        const size_t count = left < PIECE ? (size_t)left : PIECE;
        input_fill(&spec, at, count, in);
        op_scan_next(&scan, in, out, count);
        memcpy(&element, (const unsigned char *)out + (count - 1) * width, width);
    }
    return element;
}

static any_element scan_at(const evidence *e, uint64_t from, uint64_t index, bool inclusive)
{
    return scan_as(e, e->job->dtype, from, index, inclusive);
}

/* Is the last wrong element what an inclusive scan has there? Random floats have no exact answer to
 * compare with. */
static bool last_is_inclusive(const evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    if (!input_is_exact(&spec))
        return e->fault->count > 1;
    const any_element value = scan_at(e, 0, e->fault->last, true);
    return element_same(e->job->dtype, &e->fault->last_got, &value);
}

/* Are all elements those of an inclusive scan, from the first, which is the input's, to the last?
 */
static bool is_inclusive(const evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    any_element first = element_of(e->job->dtype, 0, 0);
    input_fill(&spec, 0, 1, &first);
    return e->job->kind == SCAN_KIND_EXCLUSIVE && e->fault->index == 0 && got_is(e, &first) &&
           e->fault->last + 1 == e->n && last_is_inclusive(e);
}

/* Are the first and the last wrong element sums of two inputs side by side? */
static bool are_neighbours(const evidence *e)
{
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE;
    const uint64_t least = inclusive ? 2 : 3, left = inclusive ? 1 : 2;
    if (e->fault->index != least)
        return false;
    const any_element first = scan_at(e, least - left, least, inclusive);
    const any_element last = scan_at(e, e->fault->last - left, e->fault->last, inclusive);
    return got_is(e, &first) && element_same(e->job->dtype, &e->fault->last_got, &last);
}

/* The type of as many bits that has a sign, or does not, of an integer. */
static uint32_t other_sign(uint32_t dtype)
{
    const dtype_info *type = dtype_get(dtype);
    uint32_t other = 0;
    while (!dtype_is_integer(other) || dtype_get(other)->bits != type->bits ||
           dtype_get(other)->is_signed == type->is_signed)
        other++;
    return other;
}

/* Is the first wrong element what a scan has there that compares as that type, from the right
 * identity on? */
static bool is_compared_as(const evidence *e, uint32_t dtype)
{
    const uint64_t first = e->fault->index;
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE;
    if (first > MOST_SCANNED)
        return false;
    const any_element value = scan_as(e, dtype, 0, first, inclusive);
    return got_is(e, &value);
}

/* Is the first wrong element what remains of the right one in fewer bits? */
static bool is_cut(const evidence *e, size_t bits, bool is_signed)
{
    for (size_t fewer = 8; fewer < bits; fewer *= 2) {
        const uint64_t low = e->fault->expected & ((UINT64_C(1) << fewer) - 1);
        const uint64_t sign = is_signed ? UINT64_C(1) << (fewer - 1) : 0;
        if (((low ^ sign) - sign) << (64 - bits) >> (64 - bits) == e->fault->got)
            return true;
    }
    return false;
}

static uint64_t facts_of_integer(const evidence *e)
{
    enum { SOON = 256 };
    const any_element least = element_end(e->job->dtype, false);
    const any_element greatest = element_end(e->job->dtype, true);
    const bool is_signed = dtype_get(e->job->dtype)->is_signed;
    const size_t bytes = dtype_bytes(e->job->dtype), bits = 8 * bytes;
    const bool adds = op_gives(e->job->op) == OP_ADDS, selects = op_selects(e->job->op);
    const bool sign_differs = (e->fault->got ^ e->fault->expected) >> (bits - 1) & 1;
    const bool at_end = got_is(e, &greatest) || (is_signed && got_is(e, &least));
    const bool one_more = (e->fault->got - e->fault->expected) << (64 - bits) >> (64 - bits) == 1;
    return fact(adds && at_end, SATURATED) | fact(selects && is_signed && sign_differs, UNSIGNED) |
           fact(selects && !is_signed && sign_differs &&
                    is_compared_as(e, other_sign(e->job->dtype)),
                SIGNED) |
           fact(adds && bytes < WORD_BYTES && one_more && !at_end && e->fault->index < SOON,
                CARRIED) |
           fact(adds && !at_end && is_cut(e, bits, is_signed), NARROWER);
}

/* A half that is not a number, which no operator makes of numbers; or both nearly right, as of
 * factors with fewer bits. */
static uint64_t facts_of_halves(const evidence *e)
{
    float got[2], expected[2];
    bool near = true, nan = false;
    memcpy(got, &e->fault->got, sizeof got);
    memcpy(expected, &e->fault->expected, sizeof expected);
    for (size_t i = 0; i < 2; i++) {
        near &= fabsf(got[i] - expected[i]) < 1e-2F * fabsf(expected[i]) || got[i] == expected[i];
        nan |= isnan(got[i]);
    }
    return fact(near, ROUNDED) | fact(nan, NOT_A_NUMBER);
}

static uint64_t facts_of_float(const evidence *e)
{
    const double got = float_of(e, e->fault->got), expected = float_of(e, e->fault->expected);
    const bool is_double = dtype_bytes(e->job->dtype) == sizeof(double);
    const double greatest = is_double ? DBL_MAX : (double)FLT_MAX;
    if (dtype_get(e->job->dtype)->components > 1)
        return e->job->dtype == SCAN_DTYPE_F32X2 ? facts_of_halves(e) : 0;
    return fact(fabs(got - expected) < 1e-3 * fabs(expected), ROUNDED) |
           fact(op_selects(e->job->op) && isinf(expected) && fabs(got) == greatest, FINITE);
}

static uint64_t facts_of_value(const evidence *e)
{
    const any_element nothing = op_identity(e->job->op, e->job->dtype);
    const uint64_t first = e->fault->index;
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE, is_nothing = got_is(e, &nothing);
    /* The first element of a tile is the carry itself: no operands were combined. */
    const bool is_combined = first > 0 && (first % e->tile.elements != 0 || inclusive);
    any_element filled;
    memset(&filled, (int)SCRATCH_BYTE, sizeof filled);
    return (dtype_is_integer(e->job->dtype) ? facts_of_integer(e) : facts_of_float(e)) |
           fact(is_inclusive(e), INCLUSIVE) | fact(got_is(e, &filled), FROM_SCRATCH) |
           fact(op_selects(e->job->op) &&
                    ((first == 0 && !inclusive) || (e->fault->got == 0 && !is_nothing)),
                IDENTITY) |
           fact(!op_commutes(e->job->op) && !is_nothing && is_combined, SWAPPED) |
           fact(are_neighbours(e), NEIGHBOURS);
}

/* ---- which mistake fits ------------------------------------------------------------------ */

/* Is the first wrong element, the first of its row, what a scan has there that goes on from the row
 * before, or from the first row? */
static bool goes_on(const evidence *e, const input_spec *spec, input_place place)
{
    const bool inclusive = e->job->kind == SCAN_KIND_INCLUSIVE;
    const uint64_t n = input_scan_n(spec), first = e->fault->index;
    if (place.at > 0 || place.row == 0 || input_inner(spec) > 1 || first > MOST_SCANNED)
        return false;
    const any_element from_first = scan_at(e, 0, first, inclusive);
    const any_element from_last = scan_at(e, first - n, first, inclusive);
    return got_is(e, &from_first) || got_is(e, &from_last);
}

/* In many scans places and values are those of one of them. */
static uint64_t facts_of_rows(const evidence *e)
{
    const input_spec spec = job_input(e->job, e->job->run.pattern);
    const input_place first = input_place_of(&spec, e->fault->index);
    const input_place last = input_place_of(&spec, e->fault->last);
    const bool unwritten = e->fault->code == FAULT_UNWRITTEN_ELEMENTS;
    const uint64_t left = (input_scan_n(&spec) - first.at) * dtype_bytes(spec.dtype);
    return IN_ROWS | fact(goes_on(e, &spec, first), GOES_ON) |
           fact(last.at + 1 == input_scan_n(&spec), TO_THE_END) |
           fact(unwritten && first.at == 0, ROW_LEFT) |
           fact(unwritten && first.at > 0 && left < WORD_BYTES && input_inner(&spec) == 1,
                ROW_END_LEFT) |
           fact(e->job->run.in_place, IN_PLACE) |
           fact(e->job->run.repeat > 1 && e->fault->index == 0, REPEATED);
}

static uint64_t facts_of_element(const evidence *e)
{
    if (job_has_many_scans(e->job))
        return facts_of_rows(e);
    return facts_of_configuration(e) | facts_of_place(e) | facts_of_value(e);
}

const char *proof_diagnose_among(const proof *p, const proof_mistake *mistakes, size_t count)
{
    const job *j = &p->failure.job;
    const fault *f = &p->failure.fault;
    const evidence e = {p, j, f, proof_tile_of(p, j), job_elements(j)};
    const bool in_parts = p->claim->test == proof_test_parts, element = fault_has_element(f);
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
            (element ? facts_of_element(&e) : facts_of_call(&e)) | fact(in_parts, IN_PARTS);
        for (size_t i = 0; i < count; i++)
            if (mistakes[i].code == code && (facts & (mistakes[i].needs | mistakes[i].lacks |
                                                      IN_PARTS | IN_ROWS)) == mistakes[i].needs)
                return mistakes[i].text;
    }
    if (p->failure.status == ROW_UNAVAILABLE && !in_parts)
        return "not a mistake of the plugin: what it needs is missing here";
    return p->claim->mistake;
}

const char *proof_diagnose(const proof *p)
{
    return proof_diagnose_among(p, proof_mistakes, proof_mistake_count);
}
