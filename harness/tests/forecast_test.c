/*
 * forecast_test.c - how well the time left is known, on groups whose cost was recorded: all plugins
 * that run without a GPU, on two busy cores, i32 sum exclusive
 */
#include "sweep/cost_curve.h"
#include "sweep/forecast.h"
#include "tap.h"

#include <math.h>

enum { GROUPS = 6, MEMBERS = 17, SESSIONS = 10 };

/* From a quarter of the way on the end of a sweep is known so well. */
#define EXACT 0.2

typedef struct recorded_group {
    double n, wall_s;
    size_t rounds;
    struct {
        double run_ns, opening_s; /* and closing */
    } members[MEMBERS];
} recorded_group;

/* Their sessions: a copy in six ways, one in three, and eight scans. */
static const uint32_t session_of[MEMBERS] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/* clang-format off */
static const recorded_group recorded[] = {
    {.n = 1000, .wall_s = 9.25, .rounds = 40, .members = {
        {60, 0.030}, {70, 0.020}, {70, 0.007}, {5908, 0.008}, {6209, 0.008}, {6179, 0.009}, {9384, 0.009}, {2.348e+04, 0.104}, {2.155e+04, 0.077}, {360, 0.024}, {5.119e+04, 0.142}, {7.547e+04, 0.156}, {8493, 0.107}, {3.586e+04, 0.076}, {530, 0.049}, {380, 0.028}, {2.251e+04, 0.098}}},
    {.n = 10000, .wall_s = 8.56, .rounds = 40, .members = {
        {711, 0.007}, {971, 0.007}, {981, 0.007}, {6760, 0.010}, {7681, 0.008}, {7621, 0.008}, {9053, 0.008}, {1.133e+04, 0.008}, {1.169e+04, 0.008}, {3605, 0.021}, {2.148e+05, 0.022}, {3.457e+05, 0.023}, {3.194e+04, 0.024}, {1.45e+05, 0.022}, {3585, 0.023}, {3735, 0.021}, {2.49e+04, 0.022}}},
    {.n = 100000, .wall_s = 8.91, .rounds = 40, .members = {
        {7281, 0.008}, {1.38e+04, 0.009}, {1.392e+04, 0.009}, {3695, 0.013}, {1.417e+04, 0.013}, {1.434e+04, 0.012}, {1.895e+04, 0.015}, {2.05e+04, 0.012}, {2.7e+04, 0.011}, {3.599e+04, 0.026}, {1.922e+06, 0.032}, {2.941e+06, 0.035}, {6.938e+04, 0.025}, {1.304e+06, 0.035}, {3.242e+04, 0.024}, {3.775e+04, 0.023}, {8.993e+04, 0.256}}},
    {.n = 1e+06, .wall_s = 10.88, .rounds = 58, .members = {
        {8.18e+04, 0.030}, {1.45e+05, 0.037}, {1.453e+05, 0.032}, {9.102e+04, 0.044}, {1.539e+05, 0.032}, {1.492e+05, 0.030}, {9.443e+04, 0.036}, {9.841e+04, 0.034}, {1.631e+05, 0.046}, {3.614e+05, 0.049}, {2.269e+07, 0.124}, {3.246e+07, 0.187}, {6.02e+05, 0.052}, {1.741e+07, 0.129}, {2.504e+05, 0.046}, {3.789e+05, 0.040}, {4.364e+05, 0.078}}},
    {.n = 1e+07, .wall_s = 24.15, .rounds = 28, .members = {
        {5.483e+06, 0.208}, {3.604e+06, 0.175}, {1.696e+07, 0.194}, {3.969e+06, 0.184}, {2.388e+06, 0.192}, {3.159e+06, 0.154}, {4.788e+06, 0.270}, {4.008e+06, 0.241}, {2.611e+06, 0.272}, {3.932e+06, 0.231}, {2.295e+08, 1.149}, {3.512e+08, 1.673}, {7.492e+06, 0.272}, {2.058e+08, 1.009}, {3.664e+06, 0.222}, {5.271e+06, 0.249}, {4.636e+06, 0.417}}},
    {.n = 1e+08, .wall_s = 132.55, .rounds = 28, .members = {
        {4.373e+07, 1.538}, {2.643e+07, 1.451}, {3.558e+07, 1.419}, {4.285e+07, 1.420}, {2.314e+07, 1.994}, {3.213e+07, 3.509}, {5.475e+07, 6.829}, {3.402e+07, 6.372}, {3.202e+07, 4.775}, {3.866e+07, 3.941}, {2.176e+09, 14.123}, {3.397e+09, 17.998}, {8.588e+07, 7.279}, {1.488e+09, 10.609}, {3.959e+07, 3.571}, {8.501e+07, 4.110}, {6.405e+07, 7.742}}},
};
/* clang-format on */

static plugin_info plugin = {.id = (char[]){"p"}, .backend = (char[]){"cpu"}};

/* A forecast of the first `count` recorded groups. */
static forecast *forecast_of(size_t count)
{
    static session sessions[SESSIONS];
    static const sweep_options o = {.min_samples = 20, .max_samples = 1000};
    for (size_t i = 0; i < SESSIONS; i++)
        sessions[i].plugin = &plugin;
    forecast *f = forecast_new(sessions, SESSIONS, &o);
    for (size_t i = 0; f && i < count; i++) {
        const group_members g = {.array_bytes = 4 * recorded[i].n,
                                 .time_limit_s = 17.0 / MEMBERS,
                                 .sessions = session_of,
                                 .count = MEMBERS};
        if (forecast_add(f, &g) != SCAN_OK) {
            forecast_free(f);
            return NULL;
        }
    }
    return f;
}

/* A sweep that is played back. */
typedef struct playback {
    forecast *f;
    double now_s, began_s, total_s;
    double worst, worst_at; /* how far the forecast was off, relative to the total, and when */
} playback;

static void look(playback *p)
{
    const double left_s = forecast_left_s(p->f, p->now_s - p->began_s);
    const double off = fabs(p->now_s + left_s - p->total_s) / p->total_s;
    if (p->now_s >= 0.25 * p->total_s && off > p->worst) {
        p->worst = off;
        p->worst_at = p->now_s / p->total_s;
    }
}

/* Time passes, and somebody looks now and then. */
static void pass(playback *p, double duration_s)
{
    enum { LOOKS = 5 };
    for (int i = 0; i < LOOKS; i++) {
        p->now_s += duration_s / LOOKS;
        look(p);
    }
}

static void play_back(playback *p, const recorded_group *g)
{
    double opening_s = 0;
    p->began_s = p->now_s;
    forecast_begin(p->f);
    for (size_t i = 0; i < MEMBERS; i++) {
        opening_s += g->members[i].opening_s;
        p->now_s += g->members[i].opening_s / 2;
        forecast_opened(p->f, session_of[i], g->members[i].opening_s / 2);
        look(p);
    }
    for (size_t i = 0; i < MEMBERS; i++)
        forecast_estimated(p->f, session_of[i], g->members[i].run_ns);
    pass(p, g->wall_s - opening_s);
    forecast_closing(p->f, p->now_s - p->began_s);
    pass(p, opening_s / 2);
    for (size_t i = 0; i < MEMBERS; i++)
        forecast_closed(p->f, session_of[i], g->members[i].opening_s);
    forecast_end(p->f, &(group_rounds){.rounds_s = g->wall_s - opening_s, .rounds = g->rounds});
}

/* Plays that many groups, and returns how far the forecast was off at worst. */
static double off_by(size_t count)
{
    playback p = {.f = forecast_of(count)};
    if (!p.f)
        return INFINITY;
    for (size_t i = 0; i < count; i++)
        p.total_s += recorded[i].wall_s;
    printf("# %zu groups: %.0f s expected before them,", count, forecast_left_s(p.f, 0));
    for (size_t i = 0; i < count; i++)
        play_back(&p, &recorded[i]);
    printf(" %.0f s taken; at worst %.0f %% off, at %.0f %%\n", p.total_s, 100 * p.worst,
           100 * p.worst_at);
    ok(forecast_left_s(p.f, 0) == 0, "after %zu groups no time is left", count);
    forecast_free(p.f);
    return p.worst;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6 * b;
}

static void test_curve(void)
{
    cost_curve c = {.base = 1, .slope = 2, .slope_error = 2, .error = 1e-6};
    ok(near(cost_curve_at(&c, 10), 21), "of a plugin that was not measured there is a guess");
    cost_curve_note(&c, 10, 5);
    ok(near(cost_curve_at(&c, 10), 5), "what was measured counts");
    ok(near(cost_curve_at(&c, 20), 10), "one size is extended in proportion at most");
    cost_curve_note(&c, 30, 45);
    ok(near(cost_curve_at(&c, 20), 25), "between two sizes there is a line");
    ok(near(cost_curve_at(&c, 40), 60), "which goes on, but no steeper than from nothing");
    c.error = 1e9;
    ok(near(cost_curve_at(&c, 40), 65), "unless it may be an error");
    for (size_t i = 0; i < 100; i++)
        cost_curve_note(&c, 100 + (double)i, 200 + (double)i);
    ok(c.count == COST_CURVE_POINTS && near(cost_curve_at(&c, 199), 299) &&
           cost_curve_at(&c, 150) > 270,
       "the largest sizes are kept");
}

int main(void)
{
    tap_plan(7 + 3 + 2 * 5);
    test_curve();
    forecast *f = forecast_of(GROUPS);
    const forecast_size size = f ? forecast_size_of(f) : (forecast_size){0};
    ok(size.groups == GROUPS && size.configurations == (size_t)GROUPS * MEMBERS,
       "what is not measured is not counted");
    const double before_s = f ? forecast_left_s(f, 0) : 0;
    ok(before_s > 60 && before_s < 600, "before the sweep its length is known roughly");
    forecast_free(f);
    f = forecast_of(0);
    ok(f && forecast_left_s(f, 0) == 0, "an empty sweep takes no time");
    forecast_free(f);
    for (size_t count = 2; count <= GROUPS; count++)
        ok(off_by(count) <= EXACT, "from a quarter of %zu groups on the end is known", count);
    return tap_done();
}
