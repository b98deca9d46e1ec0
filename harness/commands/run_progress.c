#include "commands/run_progress.h"

#include "output/progress.h"
#include "output/fit.h"
#include "system/clock.h"

#include <string.h>

/* The end is forecast anew so often. */
#define FORECAST_EVERY_S 0.2

static double now(void)
{
    return clock_now_ns() * 1e-9;
}

scan_status run_progress_new(run_progress *p, const session *sessions, size_t session_count,
                             const sweep_options *o)
{
    *p = (run_progress){.forecast = forecast_new(sessions, session_count, o), .sessions = sessions};
    return p->forecast ? SCAN_OK : SCAN_NO_MEMORY;
}

void run_progress_free(run_progress *p)
{
    forecast_free(p->forecast);
    p->forecast = NULL;
}

void run_progress_start(run_progress *p, bool wanted)
{
    progress_begin(&p->bar, wanted, forecast_left_s(p->forecast, 0));
}

void run_progress_begin(run_progress *p)
{
    p->begun_s = now();
    p->opening = false;
    forecast_begin(p->forecast);
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

void run_progress_turn(run_progress *p, const group_entry *m, double share)
{
    const double now_s = now();
    const uint32_t of = (uint32_t)m->configuration.session;
    if (p->opening)
        forecast_opened(p->forecast, p->opened, now_s - p->opening_s);
    p->opening = !m->over && !m->estimated;
    p->opened = of;
    p->opening_s = now_s;
    if (m->estimated && m->visits_ns <= 0)
        forecast_estimated(p->forecast, of, m->estimate.run_ns);
    if (share >= MEASURE_GROUP_CLOSES)
        forecast_closing(p->forecast, now_s - p->begun_s);
    if (!p->bar.shown || m->over || m->calibrator)
        return;
    if (now_s - p->forecast_s >= FORECAST_EVERY_S) {
        p->forecast_s = now_s;
        progress_expect(&p->bar, forecast_left_s(p->forecast, now_s - p->begun_s));
    }
    label(p, &m->configuration);
}

void run_progress_done(run_progress *p, const group *g)
{
    group_rounds cost = {.rounds_s = now() - p->begun_s, .precise = g->stop == STOP_PRECISION};
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *m = &g->members[i];
        const measurement_phase *phase = measurement_run(&m->measurement);
        if (phase && phase->value_count > cost.rounds)
            cost.rounds = phase->value_count;
        if (!m->estimated)
            continue;
        cost.rounds_s -= m->opening_ns * 1e-9;
        forecast_closed(p->forecast, (uint32_t)m->configuration.session, m->opening_ns * 1e-9);
    }
    forecast_end(p->forecast, &cost);
}

void run_progress_print(const run_progress *p, FILE *out)
{
    const forecast_size size = forecast_size_of(p->forecast);
    char words[DURATION_BYTES];
    fprintf(out, "# about %s for %zu configuration%s in %zu group%s\n",
            duration_words(forecast_left_s(p->forecast, 0), words), size.configurations,
            size.configurations == 1 ? "" : "s", size.groups, size.groups == 1 ? "" : "s");
}
