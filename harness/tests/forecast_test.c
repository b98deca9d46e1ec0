/*
 * forecast_test.c - how well the time left is known, on groups whose cost was recorded: all plugins
 * that run without a GPU, on two busy cores, i32 sum exclusive, 17 configurations a group
 */
#include "sweep/sweep.h"
#include "tap.h"

#include <math.h>

enum { GROUPS = 6, MEMBERS = 17 };

static const struct {
    double n, wall_s;
} recorded[GROUPS] = {{1e3, 9.25},  {1e4, 8.56},  {1e5, 8.91},
                      {1e6, 10.88}, {1e7, 24.15}, {1e8, 132.55}};

static plugin_info plugin = {.id = (char[]){"p"}, .backend = (char[]){"cpu"}};
static session sessions[] = {{.plugin = &plugin}};

static forecast_group group_of(size_t i)
{
    return (forecast_group){
        .array_bytes = 4 * recorded[i].n, .time_limit_s = 1, .configurations = MEMBERS};
}

/* A group as the sweep tells that it begins. */
static void begin(forecast *f, size_t i)
{
    group g;
    if (group_begin(&g, sessions, MEMBERS + 1) != SCAN_OK)
        return;
    const job j = {.dtype = SCAN_DTYPE_I32, .n = (uint64_t)recorded[i].n, .time_limit_s = 1};
    for (size_t k = 0; k < MEMBERS; k++)
        group_add(&g, &(configuration){.job = j});
    group_add(&g, &(configuration){.job = j})->role = MEMBER_BORROWED;
    forecast_begin(f, &g);
    group_free(&g);
}

/* Plays the groups `first` to `last` back. How far the end was off at worst from the end of the
 * first group on, relative to the whole. */
static double off_by(size_t first, size_t last)
{
    forecast f = {.groups = 0};
    double total_s = 0, now_s = 0, worst = 0;
    for (size_t i = first; i <= last; i++) {
        const forecast_group g = group_of(i);
        forecast_add(&f, &g);
        total_s += recorded[i].wall_s;
    }
    for (size_t i = first; i <= last; i++) {
        begin(&f, i);
        for (int part = 0; part < 4; part++) {
            const double elapsed_s = recorded[i].wall_s * part / 4;
            const double left_s = forecast_left_s(&f, elapsed_s);
            if (i > first)
                worst = fmax(worst, fabs(now_s + elapsed_s + left_s - total_s) / total_s);
        }
        now_s += recorded[i].wall_s;
        forecast_end(&f, recorded[i].wall_s);
    }
    printf("# groups %zu to %zu: at worst %.0f %% off\n", first, last, 100 * worst);
    ok(forecast_left_s(&f, 0) < 1e-9, "after the last group no time is left");
    return worst;
}

int main(void)
{
    forecast f = {.groups = 0};
    tap_plan(5 + 2 * 4);
    ok(forecast_left_s(&f, 0) == 0, "an empty sweep takes no time");
    for (size_t i = 0; i < GROUPS; i++) {
        const forecast_group g = group_of(i);
        forecast_add(&f, &g);
    }
    forecast_add(&f, &(forecast_group){.array_bytes = 4, .time_limit_s = 1});
    ok(f.groups == GROUPS && f.configurations == (size_t)GROUPS * MEMBERS,
       "what is not measured is not counted");
    const double before_s = forecast_left_s(&f, 0);
    ok(before_s > 60 && before_s < 600, "before the sweep its length is known roughly");
    begin(&f, 0);
    const double at_s = forecast_left_s(&f, 0);
    ok(fabs(at_s - before_s) < 1e-9, "a group that begins is counted once");
    ok(forecast_left_s(&f, 2) < at_s && forecast_left_s(&f, 1e6) > before_s / 2,
       "time that passes is less to come, and a group that takes long costs no more than itself");
    for (size_t last = 2; last < GROUPS; last++)
        ok(off_by(0, last) < 0.25, "from the first group on the end of %zu is known to a quarter",
           last + 1);
    return tap_done();
}
