/* race_test.c - which values of a tunable are tried, and which settings drop out of a race */
#include "sweep/group.h"
#include "sweep/plan.h"
#include "tap.h"

#include <inttypes.h>

static const char *candidates(const tunable_info *t, unsigned places)
{
    static int64_t values[CANDIDATES_MOST];
    static char text[4096];
    size_t used = 0;
    const size_t count = candidates_of(t, places, values);
    *text = '\0';
    for (size_t i = 0; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64, i ? " " : "",
                                 values[i]);
    return text;
}

static void test_candidates(void)
{
    int64_t ways[] = {7, 1, 3, 1};
    const tunable_info list = {.default_value = 1, .values = ways, .value_count = 4};
    const tunable_info few = {.default_value = 2, .min = 1, .max = 5};
    const tunable_info many = {.default_value = 100, .min = 32, .max = 1024};
    const tunable_info threads = {.default_value = 0, .max = 256, .flags = SCAN_TUNABLE_THREADS};
    const tunable_info wide = {.default_value = -5, .min = INT64_MIN, .max = INT64_MAX};
    is_text(candidates(&list, 1), "1 3 7", "of a list every entry, once");
    is_text(candidates(&few, 1), "1 2 3 4 5", "of a short range all");
    is_text(candidates(&many, 1), "32 48 64 96 100 128 192 256 384 512 768 1024",
            "of a long one powers of two, what lies halfway, and the default");
    is_text(candidates(&threads, 4), "0 1 2 3 4", "of threads as many as there are places");
    const char *all = candidates(&wide, 1);
    ok(strstr(all, "-9223372036854775808 -5 1 2 3 4 6 ") && strstr(all, " 4611686018427387904 ") &&
           strstr(all, " 9223372036854775807"),
       "the widest range does not overflow");
}

static plugin_info plugin = {
    .id = (char[]){"one"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_ALGORITHM};
static session sessions[] = {{.plugin = &plugin}, {.plugin = &plugin}};

static group_entry *add(group *g, size_t of, size_t rounds, double ns, double spread)
{
    group_entry *m = group_add(g, &(configuration){.session = of});
    for (uint32_t i = 0; i < rounds; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", ns + (i % 2 ? spread : -spread));
        const measurement_visit v = {
            .round = i, .name = {.kind = PHASE_RUN}, .batch = 1, .samples = text};
        measurement_add(&m->measurement, &v);
    }
    return m;
}

static void test_losers(void)
{
    group g;
    if (group_begin(&g, sessions, 10) != SCAN_OK)
        return;
    group_entry *best = add(&g, 0, 10, 100, 1);
    const group_entry *near = add(&g, 0, 10, 101, 3), *slow = add(&g, 0, 10, 110, 1),
                      *early = add(&g, 0, 3, 110, 1), *far = add(&g, 0, 3, 130, 1),
                      *untried = add(&g, 0, 2, 900, 1), *other = add(&g, 1, 10, 900, 1);
    ok(race_best(&g, slow) == best, "the best has the least median");
    ok(race_best(&g, other) == other, "of its own session");
    ok(!race_loses(&g, best), "the best stays");
    ok(!race_loses(&g, near), "one that cannot be told from it, too");
    ok(race_loses(&g, slow), "one that is certainly slower does not");
    ok(!race_loses(&g, early), "three rounds do not tell a tenth");
    ok(race_loses(&g, far), "but a third");
    ok(!race_loses(&g, untried), "two tell nothing");
    ok(!race_loses(&g, other), "nobody loses to another plugin");
    best->state = MEMBER_DROPPED;
    ok(race_best(&g, slow) == near, "who has dropped out is not the best");
    best->state = MEMBER_OVER;
    best->measurement.result.status = ROW_WRONG;
    ok(race_best(&g, slow) == near, "nor who was wrong");
    group_free(&g);
}

int main(void)
{
    tap_plan(5 + 11);
    test_candidates();
    test_losers();
    return tap_done();
}
