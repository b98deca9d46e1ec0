/*
 * kept_input_test.c - the input of a proof is made once, and again when another is asked for
 */
#include "problem/reference.h"
#include "tap.h"
#include "worker/kept_input.h"

enum { N = 1000 };

/* Has it all elements, and the right ones? */
static bool is_made(const input_spec *known, const input_spec *spec)
{
    static uint32_t x[N];
    input_fill(spec, 0, N, x);
    return known->made && memcmp(known->made, x, sizeof x) == 0;
}

static void check_kept(worker_host *h)
{
    input_spec spec = {
        .dtype = SCAN_DTYPE_U32, .op = SCAN_OP_SUM, .pattern = INPUT_RANDOM, .seed = 1, .n = N};
    ok(!kept_input(h, &spec).made, "outside a proof nothing is kept");
    h->scratch.poison = true;
    input_spec known = kept_input(h, &spec);
    ok(is_made(&known, &spec), "in a proof all elements are made");
    uint32_t some[7];
    input_fill(&known, 93, 7, some);
    ok(memcmp(some, (const uint32_t *)known.made + 93, sizeof some) == 0,
       "what is filled in is copied from there");
    ((uint32_t *)h->kept.room)[5] ^= 1;
    known = kept_input(h, &spec);
    ok(!is_made(&known, &spec), "they are not made again for the same input");
    spec.seed++;
    known = kept_input(h, &spec);
    ok(is_made(&known, &spec), "but for another");
    spec.n = UINT64_C(1) << 30;
    ok(!kept_input(h, &spec).made, "what has no room is not kept");
}

/* A comparison takes for right what was made. */
static void check_compared(worker_host *h)
{
    const input_spec spec = {
        .dtype = SCAN_DTYPE_U32, .op = SCAN_OP_MAX, .pattern = INPUT_CLIMB, .seed = 1, .n = N};
    const input_spec known = kept_input(h, &spec);
    static uint32_t x[N], y[N];
    uint32_t most = 0;
    input_fill(&spec, 0, N, x);
    for (size_t i = 0; i < N; i++)
        y[i] = most = x[i] > most ? x[i] : most;
    reference check;
    reference_begin(&check, &known, SCAN_KIND_INCLUSIVE, REFERENCE_SCAN);
    reference_check(&check, x, y, N);
    ok(reference_passed(&check), "a right output passes");
    x[700] ^= 1;
    y[800] ^= 1;
    reference_begin(&check, &known, SCAN_KIND_INCLUSIVE, REFERENCE_SCAN);
    reference_check(&check, x, y, N);
    ok(check.input_changed == 1 && check.first_changed == 700 && check.wrong == 1 &&
           check.first_bad == 800,
       "a changed input and a wrong output do not");
    for (size_t i = 0; i < N; i++)
        y[i] = ~((const uint32_t *)known.made)[i];
    reference_begin(&check, &known, SCAN_KIND_INCLUSIVE, REFERENCE_INVERTED);
    reference_check(&check, NULL, y, N);
    ok(reference_passed(&check) && is_made(&known, &spec),
       "inverted bits pass, and the input stays as it was");
}

int main(void)
{
    errmsg error = {0};
    cpu_topology *machine = topology_load(&error);
    static worker_host h;
    tap_plan(9);
    worker_host_init(&h, machine, false);
    check_kept(&h);
    check_compared(&h);
    topology_free(machine);
    return tap_done();
}
