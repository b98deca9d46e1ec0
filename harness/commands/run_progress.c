#include "commands/run_progress.h"

#include "commands/progress.h"
#include "output/fit.h"
#include "system/clock.h"

#include <string.h>

/* The end is forecast anew so often. */
#define FORECAST_EVERY_S 0.2

static double now(void)
{
    return clock_now_ns() * 1e-9;
}

void run_progress_start(run_progress *p, bool wanted)
{
    progress_begin(&p->bar, wanted, forecast_left_s(&p->forecast, 0));
}

static void on_begin(void *context, const group *g)
{
    run_progress *p = context;
    p->sessions = g->sessions;
    p->begun_s = now();
    forecast_begin(&p->forecast, g);
}

static void label(run_progress *p, const configuration *c)
{
    char text[256], problem[256], n[FIT_GROUPED_BYTES];
    plan_describe(c, p->sessions, text, sizeof text);
    char *size = strstr(text, " n="), *words = strchr(text, ' ');
    if (!size || !words)
        return;
    const char *rest = size + strcspn(size + 1, " ") + 1;
    *size = '\0';
    snprintf(problem, sizeof problem, "n=%s%s%s", fit_grouped(c->job.n, n), words, rest);
    *words = '\0';
    progress_label(&p->bar, text, problem);
}

static void on_turn(void *context, const group_entry *m)
{
    run_progress *p = context;
    const double now_s = now();
    if (!p->bar.shown || group_entry_is_over(m) || m->role == MEMBER_CALIBRATOR)
        return;
    if (now_s - p->forecast_s >= FORECAST_EVERY_S) {
        p->forecast_s = now_s;
        progress_expect(&p->bar, forecast_left_s(&p->forecast, now_s - p->begun_s));
    }
    label(p, &m->configuration);
}

static void on_tick(void *context)
{
    run_progress *p = context;
    progress_tick(&p->bar);
}

static void on_end(void *context)
{
    run_progress *p = context;
    forecast_end(&p->forecast, now() - p->begun_s);
}

measure_watcher run_progress_watcher(run_progress *p)
{
    return (measure_watcher){
        .begin = on_begin, .turn = on_turn, .tick = on_tick, .end = on_end, .context = p};
}

void run_progress_print(const run_progress *p, FILE *out)
{
    const forecast *f = &p->forecast;
    char words[DURATION_BYTES];
    fprintf(out, "# about %s for %zu configuration%s in %zu group%s\n",
            duration_words(forecast_left_s(f, 0), words), f->configurations,
            f->configurations == 1 ? "" : "s", f->groups, f->groups == 1 ? "" : "s");
}
