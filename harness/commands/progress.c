#include "commands/progress.h"

#include "system/clock.h"
#include "text/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* More than any sweep takes, and still whole seconds in a long. */
#define MOST_S 1e9

static long whole(double seconds)
{
    if (!(seconds > 0))
        return 0;
    return (long)((seconds < MOST_S ? seconds : MOST_S) + 0.5);
}

const char *duration_clock(double seconds, char text[DURATION_BYTES])
{
    const long s = whole(seconds);
    if (s < 3600)
        snprintf(text, DURATION_BYTES, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, DURATION_BYTES, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return text;
}

const char *duration_words(double seconds, char text[DURATION_BYTES])
{
    const long s = whole(seconds), minutes = (s + 30) / 60;
    if (s < 60)
        snprintf(text, DURATION_BYTES, "%ld s", s);
    else if (s < 3600)
        snprintf(text, DURATION_BYTES, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, DURATION_BYTES, "%ld h %ld min", minutes / 60, minutes % 60);
    return text;
}

/* A name keeps at least this many columns before words are left out. */
enum { NAME_LEAST = 10 };

static double now(void)
{
    return clock_now_ns() * 1e-9;
}

static void progress_begin(progress *p, bool wanted, double left_s)
{
    *p = (progress){.shown = wanted && isatty(STDERR_FILENO), .start_s = now()};
    p->end_s = p->start_s + left_s;
}

/* Seconds until the end, as they are expected now. */
static void progress_expect(progress *p, double left_s)
{
    p->end_s = now() + left_s;
}

/* The terminal's; where it does not say, that of COLUMNS. */
static size_t terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    const long number = columns ? strtol(columns, NULL, 10) : 0;
    return number > 0 && number < 1000 ? (size_t)number : FIT_PAGE;
}

/* What is measured, in at most that many columns. */
static void fit_label(const progress *p, size_t columns, char *label, size_t size)
{
    char name[sizeof p->name + 4], problem[sizeof p->problem + 4];
    const size_t words = fit_width(p->problem) + 1;
    size_t wide = columns > words ? columns - words : 0;
    if (wide < NAME_LEAST)
        wide = NAME_LEAST < columns ? NAME_LEAST : columns;
    fit_middle(p->name, wide, name, sizeof name);
    const size_t taken = fit_width(name) + 1;
    fit_words(p->problem, columns > taken ? columns - taken : 0, problem, sizeof problem);
    snprintf(label, size, "%s%s%s", name, *problem ? " " : "", problem);
}

void progress_draw(const progress *p, double now_s, size_t columns, char *line, size_t size)
{
    enum { BAR = 20 };
    char bar[BAR + 1], elapsed[DURATION_BYTES], left[DURATION_BYTES], head[160], label[256];
    const double elapsed_s = now_s - p->start_s, total_s = p->end_s - p->start_s;
    double part = total_s > 0 ? elapsed_s / total_s : 1;
    if (part > 0.99)
        part = 0.99;
    const size_t width = columns >= FIT_PAGE ? BAR : columns >= FIT_PAGE / 2 ? BAR / 2 : 0;
    for (size_t i = 0; i < width; i++)
        bar[i] = (double)i < part * (double)width - 0.5 ? '#' : '.';
    bar[width] = '\0';
    snprintf(head, sizeof head, "%s%s%s%3.0f %% %s, %s left", width ? "[" : "", bar,
             width ? "] " : "", 100 * part, duration_clock(elapsed_s, elapsed),
             duration_clock(p->end_s - now_s, left));
    const size_t taken = fit_width(head) + 2;
    if (columns <= taken) {
        fit_words(head, columns, line, size);
        return;
    }
    fit_label(p, columns - taken, label, sizeof label);
    snprintf(line, size, "%s  %s", head, label);
}

/* Draws the bar, at most ten times a second. */
static void progress_tick(progress *p)
{
    const double now_s = p->shown ? now() : 0;
    if (!p->shown || now_s - p->drawn_s < 0.1)
        return;
    char line[512];
    p->drawn_s = now_s;
    progress_draw(p, now_s, terminal_columns() - 1, line, sizeof line);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

/* What is measured now: a name, which may be shortened, and words, of which the last may be left
 * out. */
static void progress_label(progress *p, const char *name, const char *problem)
{
    snprintf(p->name, sizeof p->name, "%.79s", name);
    snprintf(p->problem, sizeof p->problem, "%.159s", problem);
    progress_tick(p);
}

void progress_clear(const progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}

/* ---- of a sweep ---- */

/* The end is forecast anew so often. */
#define FORECAST_EVERY_S 0.2

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
