/* large_test.c - in parts and threads, arrays are written and compared as they are in one piece */
#include "problem/component.h"
#include "problem/guard.h"
#include "problem/names.h"
#include "tap.h"
#include "worker/large.h"

#include <math.h>
#include <stdlib.h>

enum { N = 40007, STRIDE = 1024, POINTS = N / STRIDE + 1 };

static cpu_topology *machine;

/* A problem, what it is given and what it gives. */
typedef struct answer {
    input_spec spec;
    scan_kind kind;
    bool copy;
    any_element input[N], output[N]; /* narrower elements are packed */
} answer;

static answer problem; /* the one in hand */

typedef struct finding {
    reference check;
    reference_point points[POINTS];
} finding;

static unsigned char *place(any_element *array, uint64_t index)
{
    return (unsigned char *)array + index * dtype_bytes(problem.spec.dtype);
}

/* Sums of 16-bit floats are rounded once. */
static void scan_halves(void)
{
    const dtype_info type = *dtype_get(problem.spec.dtype);
    float sum = 0;
    for (uint64_t i = 0; i < N; i++) {
        const float next = sum + (float)component_real(type, problem.input, i);
        component_set(type, problem.output, i, 0, problem.kind == SCAN_KIND_INCLUSIVE ? next : sum);
        sum = next;
    }
}

static void pose(uint32_t op, uint32_t dtype, uint32_t pattern)
{
    problem.spec = (input_spec){
        .dtype = dtype, .op = op, .pattern = pattern, .seed = 42, .n = N, .position = N / 2};
    input_fill(&problem.spec, 0, N, problem.input);
    op_scan scan = {.op = op,
                    .dtype = dtype,
                    .inclusive = problem.kind == SCAN_KIND_INCLUSIVE,
                    .carry = op_identity(op, dtype)};
    if (problem.copy)
        memcpy(problem.output, problem.input, sizeof problem.output);
    else if (dtype_is_half(dtype) && op_rounds(op, dtype))
        scan_halves();
    else
        op_scan_next(&scan, problem.input, problem.output, N);
}

/* Compares in `parts` parts, 0: in one piece, and in two calls. */
static void find(unsigned parts, finding *f_p)
{
    memset(f_p, 0, sizeof *f_p);
    reference_begin(&f_p->check, &problem.spec, problem.kind,
                    problem.copy ? REFERENCE_COPY : REFERENCE_SCAN);
    reference_keep(&f_p->check, f_p->points, STRIDE);
    for (uint64_t first = 0, end; first < N; first = end) {
        end = first == 0 ? N / 5 : N;
        const large_output o = {place(problem.input, first), place(problem.output, first),
                                end - first};
        if (parts > 0)
            large_check_parts(machine, parts, &f_p->check, &o);
        else
            reference_check(&f_p->check, o.input, o.output, o.count);
    }
}

static bool same_real(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_points(const finding *a, const finding *b)
{
    bool same = true;
    for (size_t i = 0; i < POINTS; i++) {
        const reference_sum *s = &a->points[i].sum, *t = &b->points[i].sum;
        same = same && same_real(s->sum, t->sum) && same_real(s->residue, t->residue) &&
               s->sign == t->sign && same_real(s->total, t->total) &&
               a->points[i].carry.U64 == b->points[i].carry.U64;
    }
    return same;
}

static bool same_findings(const finding *f, const finding *g)
{
    const reference *a = &f->check, *b = &g->check;
    return a->checked == b->checked && a->wrong == b->wrong && a->first_bad == b->first_bad &&
           a->last_bad == b->last_bad && a->last_bits == b->last_bits &&
           a->got_bits == b->got_bits && a->expected_bits == b->expected_bits &&
           a->unwritten == b->unwritten && a->input_changed == b->input_changed &&
           a->first_changed == b->first_changed && a->max_rel_error == b->max_rel_error &&
           a->max_ulps == b->max_ulps && same_points(f, g);
}

/* Are all findings in parts those in one piece? */
static bool agree(finding *whole_p)
{
    static const unsigned parts[] = {2, 7, PARALLEL_MOST};
    static finding f;
    bool same = true;
    find(0, whole_p);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        find(parts[i], &f);
        same = same && same_findings(&f, whole_p);
    }
    return same;
}

/* Is what parts find of a right output taken over, so that none is compared again? */
static bool parts_join(void)
{
    enum { FIRST = 7 * STRIDE + 5, SECOND = 30 * STRIDE };
    const uint64_t from[] = {0, FIRST, SECOND, N};
    reference check, part[3];
    reference_sum sums[3];
    bool joined = true;
    reference_begin(&check, &problem.spec, problem.kind,
                    problem.copy ? REFERENCE_COPY : REFERENCE_SCAN);
    for (int i = 0; i < 3 && reference_needs_sums(&check); i++)
        sums[i] = reference_part_sum(&check, from[i], from[i + 1] - from[i]);
    for (int i = 2; i >= 0; i--) {
        reference_part_at(&part[i], &check, from[i], place(problem.output, from[i]));
        for (int k = 0; k < i && reference_needs_sums(&check); k++)
            reference_part_skip(&part[i], &sums[k]);
        reference_check(&part[i], place(problem.input, from[i]), place(problem.output, from[i]),
                        from[i + 1] - from[i]);
    }
    for (int i = 0; i < 3; i++)
        joined = joined && reference_join(&check, &part[i]);
    return !reference_has_parts(&check) || (joined && reference_passed(&check));
}

/* Every dtype, operator and pattern, right as it is. */
static void check_right(void)
{
    static finding whole;
    for (int i = 0; i < 3; i++) {
        bool same = true, passed = true, joined = true;
        problem.kind = i == 0 ? SCAN_KIND_EXCLUSIVE : SCAN_KIND_INCLUSIVE;
        problem.copy = i == 2;
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
            for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
                for (uint32_t pattern = 0; pattern < INPUT_PATTERN_COUNT; pattern++) {
                    if (!op_takes_dtype(op, dtype))
                        continue;
                    pose(op, dtype, pattern);
                    if (!agree(&whole)) {
                        same = false;
                        printf("# %s %s\n", dtype_name(dtype), pattern_name(pattern));
                    }
                    passed = passed && reference_passed(&whole.check);
                    if (!parts_join()) {
                        joined = false;
                        printf("# %s %s\n", dtype_name(dtype), pattern_name(pattern));
                    }
                }
        const char *what = i == 0 ? "an exclusive scan" : i == 1 ? "an inclusive scan" : "a copy";
        ok(passed, "%s of each input is right", what);
        ok(same, "and parts find what one piece finds");
        ok(joined, "each part by itself");
    }
    problem.copy = false;
}

/* Damages one element, of the output or the input, at `index`, and repairs it. */
static bool damage_is_found(uint64_t index, bool of_input)
{
    static finding whole;
    unsigned char *at = place(of_input ? problem.input : problem.output, index);
    *at ^= 0x55;
    const bool same = agree(&whole);
    *at ^= 0x55;
    const reference *c = &whole.check;
    return same && (of_input ? c->input_changed == 1 && c->first_changed == index
                             : c->wrong == 1 && c->first_bad == index);
}

static void check_damage(uint32_t op, uint32_t dtype, uint32_t pattern, scan_kind kind)
{
    bool outputs = true, inputs = true;
    problem.kind = kind;
    pose(op, dtype, pattern);
    for (uint64_t first = 0; first < N;
         first += 4 * (uint64_t)STRIDE) { /* where parts begin and end */
        const uint64_t last = first == 0 ? N - 1 : first - 1;
        outputs = outputs && damage_is_found(first, false) && damage_is_found(last, false);
        inputs = inputs && damage_is_found(first, true) && damage_is_found(last, true);
    }
    ok(outputs, "of %s %s a wrong element at either end of a part is found, and no other",
       dtype_name(dtype), op_name(op));
    ok(inputs, "and a changed element of the input");
}

/* Parts must not agree with each other on something wrong. */
static void check_shifted(void)
{
    static finding whole;
    problem.kind = SCAN_KIND_EXCLUSIVE;
    pose(SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_RANDOM);
    int32_t *out = (int32_t *)problem.output;
    const uint64_t first = 20 * (uint64_t)STRIDE;
    for (uint64_t i = first; i < N; i++)
        out[i] = (int32_t)((uint32_t)out[i] + 1);
    ok(agree(&whole) && whole.check.wrong == N - first && whole.check.first_bad == first,
       "a scan that begins with a wrong carry somewhere is wrong from there on");
}

/* Real threads, where the machine has more than one core. */
static void check_threads(void)
{
    enum { BYTES = 9 << 20, COUNT = BYTES / 4 - 3 };
    const input_spec spec = {
        .dtype = SCAN_DTYPE_I32, .op = SCAN_OP_SUM, .pattern = INPUT_RANDOM, .seed = 7, .n = COUNT};
    unsigned char *a = malloc(BYTES), *b = malloc(BYTES), *c = malloc(BYTES);
    if (!a || !b || !c) {
        printf("Bail out! no memory\n");
        exit(1);
    }
    printf("# %u parts\n", parallel_parts(machine, BYTES));
    memset(a, 1, BYTES);
    memset(b, 1, BYTES);
    input_fill(&spec, 5, COUNT, a);
    large_do(machine,
             (large_write){.to = b, .bytes = sizeof(int32_t) * COUNT, .spec = &spec, .first = 5});
    ok(memcmp(a, b, BYTES) == 0, "an input is filled as in one piece, and nothing behind it");
    memset(b, 1, BYTES);
    large_do(machine, (large_write){.to = b, .bytes = BYTES - 7, .from = a});
    ok(memcmp(a, b, BYTES - 7) == 0 && b[BYTES - 7] == 1, "a copy is whole");
    large_do(machine, (large_write){.to = b, .bytes = BYTES - 7});
    ok(is_poisoned(b, BYTES - 7) && b[BYTES - 7] == 1, "poison is everywhere");
    op_scan scan = {.op = spec.op, .dtype = spec.dtype};
    reference check;
    input_fill(&spec, 0, COUNT, a);
    op_scan_next(&scan, a, c, COUNT);
    reference_begin(&check, &spec, SCAN_KIND_EXCLUSIVE, REFERENCE_SCAN);
    large_check(machine, &check, &(large_output){a, c, COUNT});
    ok(reference_passed(&check), "a large scan is right");
    ((int32_t *)c)[COUNT - 1] ^= 1;
    reference_begin(&check, &spec, SCAN_KIND_EXCLUSIVE, REFERENCE_SCAN);
    large_check(machine, &check, &(large_output){a, c, COUNT});
    ok(check.wrong == 1 && check.first_bad == COUNT - 1, "or its last element is not");
    free(a);
    free(b);
    free(c);
}

int main(void)
{
    errmsg error = {0};
    machine = topology_load(&error);
    tap_plan(26);
    if (!ok(machine != NULL, "the machine's topology is detected"))
        return 1;
    check_right();
    check_damage(SCAN_OP_SUM, SCAN_DTYPE_I32, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    check_damage(SCAN_OP_SUM, SCAN_DTYPE_U64, INPUT_RANDOM, SCAN_KIND_INCLUSIVE);
    check_damage(SCAN_OP_MAX, SCAN_DTYPE_F32, INPUT_CLIMB, SCAN_KIND_INCLUSIVE);
    check_damage(SCAN_OP_SUM, SCAN_DTYPE_F32, INPUT_EXACT, SCAN_KIND_EXCLUSIVE);
    check_damage(SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, INPUT_RANDOM, SCAN_KIND_EXCLUSIVE);
    check_shifted();
    check_threads();
    topology_free(machine);
    return tap_done();
}
