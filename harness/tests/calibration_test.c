/* calibration_test.c - the harness's own scan, copy and spin, and their rounds beside others */
#include "output/columns.h"
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
    const double spin_ns = spin_take_ns();
    printf("# spin %g ns\n", spin_ns);
    return spin_ns > 1000 && spin_ns < 1e7;
}

/* A group of one plugin, whose rounds take times[i], and the calibrators, whose take twice and four
 * times as long as the spin of 100 + 10 i ns. */
static plugin_info plugin = {
    .id = (char[]){"one"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_ALGORITHM};
static plugin_info frozen = {.id = (char[]){CALIBRATOR_SCAN_ID},
                             .backend = (char[]){CALIBRATOR_BACKEND},
                             .role = SCAN_ROLE_BASELINE};
static session sessions[1 + CALIBRATOR_COUNT] = {
    {.plugin = &plugin}, {.plugin = &frozen}, {.plugin = &frozen}};

static scan_status take(measurement *m, uint32_t round, double ns, double spin_ns)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", ns);
    const measurement_visit v = {
        .round = round, .name = {.kind = PHASE_RUN}, .batch = 1, .samples = text};
    scan_status status = measurement_add(m, &v);
    return status == SCAN_OK ? measurement_add_spin(m, round, spin_ns) : status;
}

static bool fill(group *g)
{
    bool good = true;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const double spin = 100 + 10 * i;
        for (size_t k = 0; k < g->count; k++) {
            const double factor = k == 0 ? 12 : k == 1 ? 2 : 4;
            good &= take(&g->members[k].measurement, i, factor * spin, spin) == SCAN_OK;
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

/* The time of the group's plugin over that of a member. */
static bool near_member(const group *g, size_t member, double expected)
{
    const stats_rounds ratio = measurement_ratio(measurement_run(&g->members[0].measurement),
                                                 measurement_run(&g->members[member].measurement));
    return near(&ratio, expected);
}

static const char *text_of(measured_row *r, const char *name)
{
    for (size_t i = 0; i < row_columns.count; i++)
        if (strcmp(row_columns.entries[i]->name, name) == 0)
            return row_columns.entries[i]->get(r).text;
    return "no such column";
}

static bool has_row(const group *g)
{
    static const row_origin origin = {.group_id = 3};
    const measurement *m = &g->members[1].measurement;
    row_references *known = row_references_new("one");
    measured_row r = row_make(&origin, known, g, m, measurement_run(m));
    row_references_free(known);
    return strcmp(text_of(&r, "role"), "calibrator") == 0 &&
           strcmp(text_of(&r, "backend"), "cpu") == 0 && strcmp(text_of(&r, "op"), "") == 0 &&
           strcmp(text_of(&r, "kind"), "") == 0 && strcmp(text_of(&r, "kinds"), "") == 0 &&
           strcmp(text_of(&r, "params"), "dtype=i32;n=1000") == 0 && r.problem->n == 500 &&
           r.p->value_count == ROUNDS && r.copy.n == 0 && r.speedup.n == 0 && r.bytes_per_s == 0;
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
    const bool good = g.count == 3 && g.calibrators == 2 && m->role == MEMBER_CALIBRATOR &&
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
    bool good = g.count == 6 && g.calibrators == 4;
    for (size_t i = 0; good && i < g.calibrators; i++)
        good = g.members[2 + i].configuration.session == 1 + i % CALIBRATOR_COUNT &&
               g.members[2 + i].configuration.job.cache == i / CALIBRATOR_COUNT;
    group_free(&g);
    return good;
}

int main(void)
{
    tap_plan(10);
    ok(all_sizes(), "the frozen scan and copy are right at n = 0 to %d", N);
    ok(spins(), "the spin takes as long as its instructions may");

    ok(sized(100, SCAN_DTYPE_I32, 1000), "calibrators have 1000 elements at least");
    ok(sized(1000000, SCAN_DTYPE_F64, 2000000), "and as many bytes as the others");
    ok(sized(UINT64_C(1) << 40, SCAN_DTYPE_I32, 1 << 24), "up to 64 MiB");
    ok(in_each_state(), "hot and cold rows have calibrators of their own");

    group g;
    const configuration c = {.job = {.n = 500}};
    bool good = group_begin(&g, sessions, 1 + CALIBRATOR_COUNT) == SCAN_OK;
    if (!good)
        return 1;
    group_add(&g, &c);
    group_add_calibrators(&g, 1);
    good = fill(&g);
    const measurement *m = &g.members[0].measurement;
    const measurement_phase spins = {.values = m->spins.chain_ns, .value_count = m->spins.count};
    const stats_rounds per_spin = measurement_ratio(&m->phases[0], &spins);
    ok(good && near(&per_spin, 12), "a time that follows the frequency is constant in spins");
    ok(near_member(&g, 1, 6), "and in frozen scans");
    ok(near_member(&g, 2, 3), "and in frozen copies");
    ok(has_row(&g), "a calibrator has a row with rounds, of its group's problem");
    group_free(&g);

    return tap_done();
}
