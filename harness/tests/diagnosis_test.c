/*
 * diagnosis_test.c - at most one known mistake fits a failure, so that their order tells nothing:
 * of failures that are made up at random, but of values and places where they may fit
 */
#include "problem/element.h"
#include "problem/guard.h"
#include "problem/op_scan.h"
#include "problem/splitmix.h"
#include "proof/claim.h"
#include "scan_parts.h"
#include "tap.h"

#include <float.h>
#include <math.h>

enum { FAILURES = 20000, MOST = 128 };

static const char none[] = "no known mistake fits";

static uint64_t drawn(uint64_t *state, uint64_t below)
{
    return splitmix_next(state) % below;
}

#define DRAW(state, array) (array)[drawn(state, sizeof(array) / sizeof *(array))]

/* A plugin with tunables of its own. */
typedef struct made_up {
    tunable_info tunables[3];
    plugin_info plugin;
    session session;
    proof_claim claim;
    proof proof;
} made_up;

static void make_plugin(made_up *m, uint64_t *state)
{
    static char block[] = "block", vt[] = "vt", parts[] = SCAN_PARTS_TUNABLE;
    static const uint32_t flags[] = {0, 0, SCAN_FLAG_IN_PLACE, SCAN_FLAG_IN_PLACE_ONLY};
    static const uint64_t tiles[] = {0, 0, 0, 1, 64};
    m->tunables[0] = (tunable_info){.name = block, .default_value = 64, .min = 1, .max = 1024};
    m->tunables[1] = (tunable_info){.name = vt, .default_value = 1, .min = 1, .max = 16};
    m->tunables[2] = (tunable_info){.name = parts, .default_value = 1, .min = 1, .max = 8};
    m->plugin = (plugin_info){.tunables = m->tunables,
                              .tunable_count = 3,
                              .in_parts = true,
                              .layout = SCAN_LAYOUT_CONTIGUOUS,
                              .flags = DRAW(state, flags),
                              .tile = DRAW(state, tiles)};
}

static void make_job(job *j, uint64_t *state)
{
    static const uint64_t sizes[] = {0,    1,    63,   64,    65,    192,
                                     4096, 4097, 9000, 65537, 70000, (UINT64_C(1) << 33) + 5};
    static const int64_t blocks[] = {64, 64, 64, 16, 96}, vts[] = {1, 1, 4};
    do {
        j->dtype = (uint32_t)drawn(state, SCAN_DTYPE_COUNT);
        j->op = (uint32_t)drawn(state, SCAN_OP_COUNT);
    } while (!op_takes_dtype(j->op, j->dtype));
    j->result = drawn(state, 4) ? 0 : dtype_wide_result(j->dtype);
    j->mode = JOB_CHECK;
    j->kind = (uint32_t)drawn(state, SCAN_KIND_COUNT);
    j->run.pattern = (uint32_t)drawn(state, INPUT_PATTERN_COUNT);
    j->n = DRAW(state, sizes);
    j->rows = drawn(state, 4) == 0 && j->n <= sizes[10] ? 5 : 1;
    j->run.repeat = drawn(state, 8) ? 1 : 3;
    j->run.in_place = drawn(state, 8) == 0;
    j->run.fence = drawn(state, 4) ? FENCE_NONE : FENCE_BEHIND;
    j->tunable_count = 3;
    j->tunables[0] = DRAW(state, blocks);
    j->tunables[1] = DRAW(state, vts);
    j->tunables[2] = 1 + (int64_t)drawn(state, 4);
}

/* The element's first eight bytes. */
static uint64_t bits_of(const job *j, any_element element)
{
    uint64_t bits = 0;
    memcpy(&bits, &element, dtype_bytes(job_result_type(j)));
    return bits;
}

/* The unsigned type of as many bits, of a signed one. */
static uint32_t without_sign(uint32_t dtype)
{
    const dtype_info *type = dtype_get(dtype);
    for (uint32_t other = 0; type->is_signed && type->digits == 0 && other < SCAN_DTYPE_COUNT;
         other++)
        if (dtype_is_integer(other) && !dtype_get(other)->is_signed &&
            dtype_get(other)->bits == type->bits)
            return other;
    return dtype;
}

/* What the plugin may have written at an index of small n: the right element, that of the other
 * kind or of the input, or the sum of two inputs; or what comes of signed elements that are taken
 * for unsigned ones where they are converted. */
static any_element likely_at(const job *j, uint64_t index, uint64_t which)
{
    enum { SMALL = 100 };
    any_element in[SMALL + 1], wide[SMALL + 1], out[SMALL + 1], element;
    const input_spec spec = job_input(j, j->run.pattern);
    const bool inclusive = (j->kind == SCAN_KIND_INCLUSIVE) != (which == 1);
    const uint64_t from = which == 2   ? index
                          : which == 3 ? index - (index < 2   ? 0
                                                  : inclusive ? 1
                                                              : 2)
                                       : 0;
    op_scan scan = {.op = j->op,
                    .dtype = job_result_type(j),
                    .inclusive = which == 2 || inclusive,
                    .carry = op_identity(j->op, job_result_type(j))};
    memset(&element, 0, sizeof element);
    if (index > SMALL)
        return element_of(job_result_type(j), (double)index, 1);
    input_fill(&spec, from, index + 1 - from, in);
    if (j->result)
        dtype_widen(which == 4 ? without_sign(j->dtype) : j->dtype, in,
                    which == 4 ? without_sign(job_result_type(j)) : job_result_type(j), wide,
                    index + 1 - from);
    op_scan_next(&scan, j->result ? wide : in, out, index + 1 - from);
    memcpy(&element, (const char *)out + (index - from) * dtype_bytes(job_result_type(j)),
           dtype_bytes(job_result_type(j)));
    return element;
}

static uint64_t value_at(const job *j, uint64_t index, uint64_t *state)
{
    any_element filled;
    float nan_pair[2] = {1, NAN};
    uint64_t pair;
    memset(&filled, (int)SCRATCH_BYTE, sizeof filled);
    memcpy(&pair, nan_pair, sizeof pair);
    switch (drawn(state, j->result ? 16 : 13)) {
    case 0:
        return bits_of(j, op_identity(j->op, job_result_type(j)));
    case 1:
        return bits_of(j, filled);
    case 2:
        return bits_of(j, element_end(job_result_type(j), drawn(state, 2)));
    case 3:
        return 0;
    case 4:
        return dtype_bytes(job_result_type(j)) == 8 ? pair : 7;
    case 5:
        return dtype_bytes(job_result_type(j)) == 8 ? POISON_BYTE * UINT64_C(0x01010101) : 5;
    case 6:
        return bits_of(j, element_of(job_result_type(j), FLT_MAX, FLT_MAX));
    case 7:
        return bits_of(j, element_of(job_result_type(j), DBL_MAX, FLT_MAX));
    case 8:
        return bits_of(j, element_of(job_result_type(j), 1000.25, 3));
    case 9:
        return bits_of(j, element_of(job_result_type(j), -1000, 3));
    case 13:
        memset(&filled, (int)POISON_BYTE, sizeof filled);
        return bits_of(j, filled);
    case 14:
        return bits_of(j, likely_at(j, index, 4));
    case 15: /* in eight bits */
        return (uint64_t)(int64_t)(int8_t)bits_of(j, likely_at(j, index, 0)) &
               UINT64_MAX >> (64 - 8 * dtype_bytes(job_result_type(j)));
    default:
        return bits_of(j, likely_at(j, index, drawn(state, 4)));
    }
}

static void make_fault(made_up *m, uint64_t *state)
{
    static const fault_code codes[] = {FAULT_WROTE_BEFORE,
                                       FAULT_WROTE_PAST,
                                       FAULT_INACCURATE,
                                       FAULT_INPUT_CHANGED,
                                       FAULT_SCRATCH_UNDERRUN,
                                       FAULT_SCRATCH_OVERRUN,
                                       FAULT_ALLOCATED_IN_RUN,
                                       FAULT_SILENT,
                                       FAULT_LOST,
                                       FAULT_KILLED,
                                       FAULT_EXITED,
                                       FAULT_MALFORMED,
                                       FAULT_CALL_FAILED,
                                       FAULT_NO_MEMORY,
                                       FAULT_REFUSED_SILENTLY,
                                       FAULT_RETURNED_EARLY,
                                       FAULT_TILE_CHANGED,
                                       FAULT_NO_TILE,
                                       FAULT_WROTE_PAST_PART,
                                       FAULT_WROTE_BEFORE_PART,
                                       FAULT_LATE_WRITE,
                                       FAULT_RANKS_RETURNED_EARLY};
    static const uint64_t bytes[] = {4, 60, 300, 1 << 20};
    static const uint32_t steps[] = {STEP_CREATE, STEP_SUPPORTS, STEP_RUN, STEP_DESTROY};
    job *j = &m->proof.failure.job;
    const uint64_t tile = proof_tile_of(&m->proof, j).elements, n = j->n;
    const uint64_t places[] = {0,
                               0,
                               1,
                               2,
                               3,
                               tile - 1,
                               tile,
                               tile + 1,
                               2 * tile,
                               2 * tile + 1,
                               n - 1,
                               n - n % tile,
                               n - 1 - n % 64 / 2,
                               n - tile,
                               tile * tile,
                               n & UINT16_MAX,
                               n & UINT32_MAX,
                               scan_parts_slice(n, (uint32_t)j->tunables[2])};
    fault *f = &m->proof.failure.fault;
    *f = (fault){.code = DRAW(state, codes),
                 .step = DRAW(state, steps),
                 .buffer = (uint32_t)drawn(state, 3),
                 .bytes = DRAW(state, bytes)};
    if (n == 0 || drawn(state, 8) == 0)
        return;
    f->code = drawn(state, 4) ? FAULT_WRONG_ELEMENTS : FAULT_UNWRITTEN_ELEMENTS;
    f->dtype = job_result_type(j);
    f->total = n;
    f->index = DRAW(state, places) % n;
    /* The expected element of far ones is not known here, and theirs is not compared with. */
    f->last = n > UINT16_MAX || drawn(state, 2) ? f->index : n - 1;
    if (j->rows > 1 && drawn(state, 2)) {
        f->total = j->rows * n;
        f->index = n;
        f->last = n + (drawn(state, 2) ? n - 1 : 0);
    }
    f->count = f->last == f->index ? 1 : 1 + drawn(state, f->last - f->index);
    f->expected = bits_of(j, likely_at(j, f->index, 0));
    f->got = value_at(j, f->index, state);
    f->last_got = value_at(j, f->last, state);
    m->proof.failure.has_wider = f->count == 1 && drawn(state, 2);
    m->proof.failure.wider = *f;
    m->proof.failure.wider.count = drawn(state, 3);
}

/* Bit patterns of floats that would be right are no failures, but who diagnoses need not know. */
static void make(made_up *m, uint64_t *state)
{
    static const char *const claims[] = {"sizes",  "sizes",    "patterns", "repeat",
                                         "bounds", "tunables", "parts",    "in_place"};
    *m = (made_up){.claim = *proof_find(DRAW(state, claims))};
    m->claim.mistake = none;
    make_plugin(m, state);
    m->session = (session){.plugin = &m->plugin};
    m->proof = (proof){.claim = &m->claim, .session = &m->session};
    m->proof.failure.has_job = true;
    m->proof.failure.status = ROW_WRONG;
    make_job(&m->proof.failure.job, state);
    make_fault(m, state);
}

static void shuffle(proof_mistake *mistakes, uint64_t *state)
{
    for (size_t i = proof_mistake_count - 1; i > 0; i--) {
        const size_t k = drawn(state, i + 1);
        const proof_mistake one = mistakes[i];
        mistakes[i] = mistakes[k];
        mistakes[k] = one;
    }
}

int main(void)
{
    uint64_t state = 24;
    proof_mistake shuffled[MOST];
    size_t several = 0, other = 0, missing = 0;
    size_t fits[MOST] = {0};
    made_up m;
    tap_plan(3);
    memcpy(shuffled, proof_mistakes, proof_mistake_count * sizeof *shuffled);
    for (size_t i = 0; i < FAILURES; i++) {
        const char *found[2] = {none, none};
        size_t count = 0;
        make(&m, &state);
        for (size_t k = 0; k < proof_mistake_count; k++) {
            const char *first =
                proof_diagnose_among(&m.proof, proof_mistakes + k, proof_mistake_count - k);
            if (first == none)
                break;
            /* To the mistake that fits: of those with its text, the first that fits alone. */
            while (k < proof_mistake_count &&
                   (proof_mistakes[k].text != first ||
                    proof_diagnose_among(&m.proof, proof_mistakes + k, 1) == none))
                k++;
            if (k == proof_mistake_count)
                break;
            found[count++ > 0] = first;
            fits[k]++;
        }
        if (count > 1 && several++ < 5)
            printf("# both \"%s\"\n# and \"%s\"\n", found[0], found[1]);
        shuffle(shuffled, &state);
        other += proof_diagnose_among(&m.proof, shuffled, proof_mistake_count) !=
                 proof_diagnose(&m.proof);
    }
    for (size_t k = 0; k < proof_mistake_count; k++)
        if (fits[k] == 0) {
            missing++;
            printf("# no failure is \"%s\"\n", proof_mistakes[k].text);
        }
    ok(several == 0, "at most one mistake fits each of %d failures, not several in %zu", FAILURES,
       several);
    ok(other == 0, "in another order the mistakes give the same texts, but %zu", other);
    ok(missing == 0, "each mistake fits some failure, all but %zu", missing);
    return tap_done();
}
