/* diagnosis_facts.c - facts about calls, the configuration, and where elements are wrong */
#include "proof/diagnosis_facts.h"

#include "problem/guard.h"
#include "scan_parts.h"

#include <string.h>

/* ---- facts about writes, crashes and calls ---------------------------------------- */

uint64_t diagnosis_facts_of_call(const evidence *e)
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

/* ---- in rows, and together ---------------------------------------------------------- */

/* Is the first wrong element, the first of its row, what a scan has there that goes on from the row
 * before, or from the first row? */
static bool goes_on(const evidence *e, const input_spec *spec, input_place place)
{
    const uint64_t n = input_scan_n(spec);
    if (place.at > 0 || place.row == 0 || input_inner(spec) > 1)
        return false;
    return diagnosis_got_scan_from(e, 0) || diagnosis_got_scan_from(e, e->fault->index - n);
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

/* What is wrong in the last elements alone begins where no whole vector is left. */
static bool is_at_tail(const evidence *e)
{
    enum { VECTOR = 64 };
    return e->n > VECTOR && e->fault->index >= e->n - e->n % VECTOR;
}

/* Is of the last result at least as much left as an element of the input has bytes? */
static bool is_last_left(const evidence *e)
{
    const size_t width = dtype_bytes(e->job->dtype), all = dtype_bytes(e->fault->dtype);
    return e->fault->code != FAULT_UNWRITTEN_ELEMENTS && e->fault->last + 1 == e->n &&
           is_poisoned((const unsigned char *)&e->fault->last_got + all - width, width);
}

static uint64_t facts_of_results(const evidence *e)
{
    const uint64_t tile = e->tile.elements, first = e->fault->index;
    return IN_RESULTS | fact(is_last_left(e), AT_STRIDE) |
           fact(first > 0 && tile > 1 && first % tile == 0, FROM_TILE) |
           fact(is_at_tail(e), AT_TAIL) | fact(e->job->run.pattern == INPUT_GROWING, GROWING) |
           diagnosis_facts_of_result(e);
}

uint64_t diagnosis_facts_of_element(const evidence *e)
{
    if (job_has_many_scans(e->job))
        return facts_of_rows(e);
    if (e->job->result)
        return facts_of_results(e);
    return facts_of_configuration(e) | facts_of_place(e) | diagnosis_facts_of_value(e);
}
