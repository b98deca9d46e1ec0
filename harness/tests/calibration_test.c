/* calibration_test.c - the harness's own scan, copy and spin, and the times that are divided by
 * them */
#include "output/rates.h"
#include "tap.h"
#include "worker/frozen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, ROUNDS = 10 };

static bool scans_and_copies(size_t n)
{
    uint32_t from[N], scanned[N + 1], copied[N + 1], sum = 0;
    bool good = true;
    for (size_t i = 0; i < n; i++)
        from[i] = (uint32_t)(2654435761u * (i + 1));
    scanned[n] = copied[n] = 7;
    frozen_scan(from, scanned, n);
    frozen_copy(from, copied, n);
    for (size_t i = 0; i < n; i++) {
        good &= scanned[i] == sum && copied[i] == from[i];
        sum += from[i];
    }
    return good && scanned[n] == 7 && copied[n] == 7;
}

static bool all_sizes(void)
{
    for (size_t n = 0; n <= N; n++)
        if (!scans_and_copies(n)) {
            printf("# n = %zu\n", n);
            return false;
        }
    return true;
}

/* 5000 multiplications of 3 or 4 cycles: no core does them in a microsecond, none needs more than a
 * millisecond, unless all tries are disturbed. */
static bool spins(void)
{
    const visit_spin spin = spin_take();
    printf("# chain %g ns, additions %g ns\n", spin.chain_ns, spin.adds_ns);
    return spin.chain_ns > 1000 && spin.chain_ns < 1e7 && spin.adds_ns > 500 && spin.adds_ns < 1e7;
}

/* A group of one plugin, whose rounds take times[i], and the calibrators, whose take twice and four
 * times as long as the spin of 100 + 10 i ns. */
static plugin_info plugin = {
    .id = (char[]){"one"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_ALGORITHM};
static session sessions[1 + CALIBRATOR_COUNT] = {
    {.plugin = &plugin}, {.plugin = &plugin}, {.plugin = &plugin}};

static scan_status take(measurement *m, uint32_t round, double ns, double chain_ns, double adds_ns)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", ns);
    const measurement_visit v = {
        .round = round, .name = {.kind = PHASE_RUN}, .batch = 1, .samples = text};
    const visit_spin spin = {.chain_ns = chain_ns, .adds_ns = adds_ns};
    scan_status status = measurement_add(m, &v);
    return status == SCAN_OK ? measurement_add_spin(m, round, &spin) : status;
}

static bool fill(group *g, int shared)
{
    bool good = true;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const double spin = 100 + 10 * i;
        for (size_t k = 0; k < g->count; k++) {
            const double factor = k == 0 ? 12 : k == 1 ? 2 : 4;
            good &= take(&g->members[k].measurement, i, factor * spin, spin,
                         (int)i < shared ? 1.3 * spin : spin) == SCAN_OK;
        }
    }
    for (size_t k = 0; k < g->count; k++)
        good &= measurement_summarize(&g->members[k].measurement, STOP_ROUNDS) == SCAN_OK;
    return good;
}

static bool near(const stats_rounds *ratio, double expected)
{
    printf("# %g in %g ... %g, %zu rounds\n", ratio->median, ratio->lo, ratio->hi, ratio->n);
    return ratio->n == ROUNDS && fabs(ratio->median - expected) < 1e-9 * expected &&
           ratio->has_ci && ratio->lo < expected && ratio->hi > expected;
}

static bool sized(uint64_t n, uint32_t dtype, uint64_t expected)
{
    const configuration c = {.job = {.n = n, .dtype = dtype, .tunable_count = 3}};
    group g;
    if (group_begin(&g, sessions, 1 + CALIBRATOR_COUNT) != SCAN_OK)
        return false;
    group_add(&g, &c);
    group_add_calibrators(&g, 1);
    const group_entry *m = &g.members[1];
    const bool good = g.count == 3 && g.calibrators == 2 && m->calibrator && m->guest &&
                      m->configuration.job.n == expected &&
                      m->configuration.job.dtype == SCAN_DTYPE_I32 &&
                      m->configuration.job.tunable_count == 0;
    group_free(&g);
    return good;
}

/* Each state of the caches has calibrators of its own. */
static bool in_each_state(void)
{
    const configuration hot = {.job = {.n = 1000}},
                        cold = {.job = {.n = 1000, .cache = CACHE_COLD}};
    group g;
    if (group_begin(&g, sessions, 2 + (size_t)CALIBRATOR_COUNT * CACHE_STATE_COUNT) != SCAN_OK)
        return false;
    group_add(&g, &cold);
    group_add(&g, &hot);
    group_add_calibrators(&g, 1);
    const measurement *of_hot = group_calibrator(&g, CALIBRATOR_COPY, CACHE_HOT),
                      *of_cold = group_calibrator(&g, CALIBRATOR_COPY, CACHE_COLD);
    const bool good = g.calibrators == 4 && of_hot == &g.members[3].measurement &&
                      of_cold == &g.members[5].measurement &&
                      of_hot->configuration->job.cache == CACHE_HOT &&
                      of_cold->configuration->job.cache == CACHE_COLD;
    group_free(&g);
    return good;
}

int main(void)
{
    tap_plan(12);
    ok(all_sizes(), "the frozen scan and copy are right at n = 0 to %d", N);
    ok(spins(), "the spin takes as long as its instructions may");

    ok(sized(100, SCAN_DTYPE_I32, 1000), "calibrators have 1000 elements at least");
    ok(sized(1000000, SCAN_DTYPE_F64, 2000000), "and as many bytes as the others");
    ok(sized(UINT64_C(1) << 40, SCAN_DTYPE_I32, 1 << 24), "up to 64 MiB");
    ok(in_each_state(), "hot and cold rows have calibrators of their own");

    group g;
    const configuration c = {.job = {.n = 1000}};
    baseline_times *times = baseline_times_new();
    const rates_reference reference = {.times = times, .baseline = "none"};
    bool good = times && group_begin(&g, sessions, 1 + CALIBRATOR_COUNT) == SCAN_OK;
    if (!good)
        return 1;
    group_add(&g, &c);
    group_add_calibrators(&g, 1);
    good = fill(&g, 2);
    const measurement *m = &g.members[0].measurement;
    const phase_rates rates = rates_of(&reference, &g, m, &m->phases[0]);
    ok(good && near(&rates.per_spin, 12), "a time that follows the frequency is constant in spins");
    ok(near(&rates.per_scan, 6), "and in frozen scans");
    ok(near(&rates.per_copy, 3), "and in frozen copies");
    ok(!measurement_shared_core(m), "two of ten rounds on a shared core are no remark");
    g.members[1].measurement.result.status = ROW_CRASHED;
    const phase_rates without = rates_of(&reference, &g, m, &m->phases[0]);
    ok(without.per_scan.n == 0 && without.per_copy.n == ROUNDS,
       "a calibrator that failed is not compared with");
    group_free(&g);

    good = group_begin(&g, sessions, 1) == SCAN_OK && group_add(&g, &c) && fill(&g, 3);
    ok(good && measurement_shared_core(&g.members[0].measurement), "three of ten are");
    group_free(&g);
    baseline_times_free(times);
    return tap_done();
}
