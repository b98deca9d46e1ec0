/* row_test.c - what a row is compared with: the copies and the baseline of its problem, and no
 * others */
#include "output/row.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static plugin_info copier = {
    .id = (char[]){"copy"}, .backend = (char[]){"cuda"}, .role = SCAN_ROLE_CEILING};
static plugin_info scanner = {
    .id = (char[]){"scan"}, .backend = (char[]){"cuda"}, .role = SCAN_ROLE_ALGORITHM};
static plugin_info base = {
    .id = (char[]){"base"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_BASELINE};

static const session on_copier = {.plugin = &copier, .device = {.name = "H200"}},
                     on_scanner = {.plugin = &scanner, .device = {.name = "H200"}},
                     on_base = {.plugin = &base, .device = {.name = "CPU"}};
static const configuration usual = {.job = {.n = 1000}, .threads = 2};

static scan_status keep(row_references *known, const session *one, const configuration *c,
                        phase_kind phase, double ns)
{
    const measurement m = {.session = one, .configuration = c};
    return row_references_add(known, &m, phase, ns);
}

/* The row of a phase that takes 100 ns, with an interval of 98 ... 102. */
static measured_row row_of(const row_references *known, const session *one, const configuration *c,
                           phase_kind phase)
{
    static measurement m;
    m = (measurement){.session = one, .configuration = c, .phase_count = 1};
    m.phases[0] = (measurement_phase){
        .name.kind = phase,
        .interval = {.n = 20, .median = 100, .lo = 98, .hi = 102, .has_ci = true}};
    return row_make(NULL, known, NULL, &m, &m.phases[0]);
}

static double copy_of(const row_references *known, const session *one, const configuration *c,
                      phase_kind phase)
{
    return 100 * row_of(known, one, c, phase).copy.median;
}

static bool is(double got, double expected)
{
    if (fabs(got - expected) < 1e-9 * (1 + expected))
        return true;
    printf("# %g, expected %g\n", got, expected);
    return false;
}

static void test_other_copies(const row_references *known)
{
    static const char *const what[] = {"count of fewer threads", "dtype", "n", "cache",
                                       "number of parts"};
    configuration others[] = {usual, usual, usual, usual, usual};
    plugin_info other_backend = scanner, in_place = scanner;
    session elsewhere = on_scanner;
    others[0].threads = 1;
    others[1].job.dtype = SCAN_DTYPE_U32;
    others[2].job.n = UINT64_C(1000) + (UINT64_C(1) << 32);
    others[3].job.cache = CACHE_COLD;
    others[4].parts = 2;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ok(is(copy_of(known, &on_scanner, &others[i], PHASE_RUN), 0), "another %s has no ceiling",
           what[i]);
    strcpy(elsewhere.device.name, "P40");
    ok(is(copy_of(known, &elsewhere, &usual, PHASE_RUN), 0), "nor has another device");
    elsewhere = on_scanner;
    other_backend.backend = (char[]){"opencl"};
    elsewhere.plugin = &other_backend;
    ok(is(copy_of(known, &elsewhere, &usual, PHASE_RUN), 0), "nor another backend");
    in_place.flags = SCAN_FLAG_IN_PLACE_ONLY;
    elsewhere.plugin = &in_place;
    ok(is(copy_of(known, &elsewhere, &usual, PHASE_RUN), 0), "nor what works in place");
}

static void test_copies(row_references *known)
{
    configuration more = usual;
    more.threads = 4000000000;
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_RUN), 0),
       "without times there is nothing to compare with");
    ok(keep(known, &on_copier, &usual, PHASE_RUN, 50) == SCAN_OK &&
           is(copy_of(known, &on_scanner, &usual, PHASE_RUN), 50),
       "a copy that was kept is found by its problem");
    keep(known, &on_copier, &usual, PHASE_RUN, 70);
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_RUN), 50), "a slower one changes nothing");
    keep(known, &on_copier, &usual, PHASE_RUN, 40);
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_RUN), 40), "a faster one counts");
    test_other_copies(known);
    ok(is(copy_of(known, &on_scanner, &more, PHASE_RUN), 40),
       "a row with more threads is bounded by it, too");
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_DEVICE), 40) &&
           is(copy_of(known, &on_scanner, &usual, PHASE_KERNEL), 40),
       "device and kernel phases are compared with the copy's run where it has no device phase");
    keep(known, &on_copier, &usual, PHASE_DEVICE, 30);
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_DEVICE), 30) &&
           is(copy_of(known, &on_scanner, &usual, PHASE_KERNEL), 30),
       "and with its device phase where it has one");
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_RUN), 40), "which run is not compared with");
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_GRAPH), 0), "nor is a graph");
    keep(known, &on_copier, &usual, PHASE_GRAPH, 20);
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_GRAPH), 20) &&
           is(copy_of(known, &on_scanner, &usual, PHASE_DEVICE), 30),
       "but with a copy in a graph, which bounds nothing else");
    ok(is(copy_of(known, &on_scanner, &usual, PHASE_E2E), 0) &&
           is(copy_of(known, &on_scanner, &usual, PHASE_H2D), 0),
       "a phase without a copy has none, nor has a transfer");
}

static void test_baselines(row_references *known)
{
    configuration others[] = {usual, usual, usual, usual, usual};
    size_t found = 0;
    others[0].job.dtype = SCAN_DTYPE_U32;
    others[1].job.op = SCAN_OP_MAX;
    others[2].job.kind = SCAN_KIND_INCLUSIVE;
    others[3].job.n = 1001;
    others[4].job.cache = CACHE_COLD;
    ok(is(row_of(known, &on_scanner, &usual, PHASE_RUN).speedup.median, 0), "there is no baseline");
    keep(known, &on_base, &usual, PHASE_RUN, 900);
    ok(is(row_of(known, &on_scanner, &usual, PHASE_RUN).speedup.median, 9), "then there is");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        found += row_of(known, &on_scanner, &others[i], PHASE_RUN).speedup.median > 0;
    ok(found == 0, "for that type, size, operator, kind and state of the caches alone");
    ok(is(row_of(known, &on_copier, &usual, PHASE_RUN).speedup.median, 0), "a copy has no speedup");
}

/* The row ends at 102 ns. */
static bool is_above(double copy_ns)
{
    row_references *known = row_references_new("base");
    const bool kept = keep(known, &on_copier, &usual, PHASE_RUN, copy_ns) == SCAN_OK;
    const bool above = row_of(known, &on_scanner, &usual, PHASE_RUN).above_copy;
    row_references_free(known);
    return kept && above;
}

/* Keeps more medians than the first capacity. */
static void test_many(row_references *known)
{
    size_t wrong = 0;
    configuration c = usual;
    for (c.job.n = 2000; c.job.n < 2500; c.job.n++)
        keep(known, &on_base, &c, PHASE_RUN, (double)c.job.n);
    for (c.job.n = 2000; c.job.n < 2500; c.job.n++)
        wrong +=
            !is(row_of(known, &on_scanner, &c, PHASE_RUN).speedup.median, (double)c.job.n / 100);
    ok(wrong == 0, "five hundred are told apart");
}

int main(void)
{
    row_references *known = row_references_new("base");
    tap_plan(4 + 10 + 5 + 4 + 1 + 2);
    test_copies(known);
    test_baselines(known);
    test_many(known);
    ok(!is_above(100) && !is_above(104), "what noise explains is not above the copy");
    ok(is_above(104.1), "what is more than 2 %% faster even at the end of its interval is");
    row_references_free(known);
    row_references_free(NULL);
    return tap_done();
}
