#include "measure.h"

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SERIES = HOST_PHASES + 3, FEWEST_SAMPLES = 6 };

/* The samples of one phase. */
typedef struct series {
    char name[48];
    size_t count;
    double *ns;
} series;

typedef struct sampling {
    execution *e;
    double start_ns;
    double last_step_ns;
    series series[SERIES];
    size_t count;
    const char *stop;
    unsigned batch;
} sampling;

double measure_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static series *series_named(sampling *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->series[i].name, name) == 0)
            return &s->series[i];
    if (s->count == SERIES)
        return NULL;
    series *new_one = &s->series[s->count];
    new_one->ns = calloc(s->e->job->max_samples, sizeof *new_one->ns);
    if (!new_one->ns)
        return NULL;
    snprintf(new_one->name, sizeof new_one->name, "%s", name);
    s->count++;
    return new_one;
}

static bool add_sample(sampling *s, const char *name, double ns)
{
    series *to = series_named(s, name);
    if (!to)
        return execute_failed(s->e, SCAN_NO_MEMORY, "keeping the samples"), false;
    if (to->count < s->e->job->max_samples)
        to->ns[to->count++] = ns;
    return true;
}

/*
 * Enough? Precision is asked of the first series, every tenth sample. Long runs
 * stop at six samples when the time is up (fewer give no interval), and at fewer
 * still when even those would take four times the limit.
 */
static bool finished(sampling *s)
{
    const job *j = s->e->job;
    double now = measure_now();
    double elapsed_s = (now - s->start_ns) * 1e-9;
    size_t n = s->series[0].count;
    if (now - s->last_step_ns > 2e8) { /* the supervisor waits for a sign of life */
        execute_step(s->e, "sample");
        s->last_step_ns = now;
    }
    if (n >= j->max_samples) {
        s->stop = "max_samples";
        return true;
    }
    if ((elapsed_s >= j->time_limit_s && n >= FEWEST_SAMPLES) || elapsed_s >= 4 * j->time_limit_s) {
        s->stop = "time_limit";
        return true;
    }
    if (n < j->min_samples || n % 10 != 0)
        return false;
    stats_summary summary;
    if (stats_summarize(s->series[0].ns, n, &summary) == SCAN_OK && stats_enough(&summary)) {
        s->stop = "precision";
        return true;
    }
    return false;
}

static void send_series(const sampling *s)
{
    FILE *out = s->e->out;
    for (size_t i = 0; i < s->count; i++) {
        const series *one = &s->series[i];
        message_begin(out, "phase");
        message_put_text(out, "name", one->name);
        message_put_u64(out, "batch", s->batch);
        message_put_text(out, "stop", s->stop);
        fputs("\tsamples=", out);
        for (size_t k = 0; k < one->count; k++)
            fprintf(out, "%s%.6g", k ? "," : "", one->ns[k]);
        message_end(out);
    }
}

static void begin(sampling *s, execution *e)
{
    *s = (sampling){.e = e, .stop = "", .batch = 1};
    s->start_ns = s->last_step_ns = measure_now();
    execute_step(e, "sample");
}

static void end(sampling *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->series[i].ns);
}

/* What two readings of the clock cost, at best. */
static double clock_overhead_ns(void)
{
    double best = 1e9;
    for (int i = 0; i < 200; i++) {
        double start = measure_now();
        double took = measure_now() - start;
        if (took < best)
            best = took;
    }
    return best > 1 ? best : 1;
}

/* Runs `batch` times; the time of one, or a negative number if a run failed. */
static double timed_run(execution *e, unsigned batch)
{
    scan_buffer in = buffers_in(&e->buffers), out = buffers_out(&e->buffers);
    double start = measure_now();
    for (unsigned i = 0; i < batch; i++) {
        scan_status status = e->plugin->run(e->self, in, out);
        if (status != SCAN_OK)
            return execute_failed(e, status, "run"), -1.0;
    }
    return (measure_now() - start) / batch;
}

/* Warms up for a twentieth of the time limit and finds how many runs make an
 * interval 200 times as long as reading the clock takes. */
static bool warm_up(sampling *s)
{
    double limit = s->e->job->time_limit_s * 0.05e9;
    double shortest = INFINITY;
    do {
        double ns = timed_run(s->e, 1);
        if (ns < 0)
            return false;
        if (ns < shortest)
            shortest = ns;
    } while (measure_now() - s->start_ns < limit);
    double needed = 200 * clock_overhead_ns() / (shortest > 1 ? shortest : 1);
    s->batch = needed > 1 ? (unsigned)ceil(needed) : 1;
    return true;
}

static bool sample_runs(execution *e)
{
    sampling s;
    begin(&s, e);
    bool good = warm_up(&s);
    s.start_ns = measure_now();
    while (good) {
        double ns = timed_run(e, s.batch);
        good = ns >= 0 && add_sample(&s, "run", ns);
        if (good && finished(&s))
            break;
    }
    if (good) {
        if (s.batch > 1) {
            char flag[32];
            snprintf(flag, sizeof flag, "batch=%u", s.batch);
            execute_flag(e, flag);
        }
        send_series(&s);
    }
    end(&s);
    return good;
}

/* The phases the plugin recorded in the last run, which took `run_ns`. */
static bool add_recorded(sampling *s, double run_ns)
{
    const worker_host *h = s->e->host;
    for (size_t i = 0; i < h->phase_count; i++) {
        if (!add_sample(s, h->phases[i].name, h->phases[i].ns))
            return false;
        /* Device clocks tick coarsely: a microsecond is no contradiction. */
        bool longer =
            strcmp(h->phases[i].name, "device") == 0 && h->phases[i].ns > run_ns * 1.01 + 1000;
        if (longer && !strstr(s->e->flags, "device_exceeds_run"))
            execute_flag(s->e, "device_exceeds_run");
    }
    return true;
}

/* Copy in, run, copy out, recorded; for host memory the run alone. */
static bool sample_trip(sampling *s)
{
    execution *e = s->e;
    bool copies = e->plugin->memory != NULL;
    double start = measure_now();
    if (copies && execute_failed(e, buffers_copy_in(&e->buffers), "copy in"))
        return false;
    double ran = measure_now();
    worker_host_record(e->host, true);
    scan_status status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double done = measure_now();
    worker_host_record(e->host, false);
    if (execute_failed(e, status, "run"))
        return false;
    double back = measure_now();
    if (copies && execute_failed(e, buffers_copy_out(&e->buffers), "copy out"))
        return false;
    double stop = measure_now();
    if (copies && !(add_sample(s, "e2e", stop - start) && add_sample(s, "h2d", ran - start) &&
                    add_sample(s, "d2h", stop - back)))
        return false;
    return add_recorded(s, done - ran);
}

static bool sample_trips(execution *e)
{
    sampling s;
    begin(&s, e);
    bool good = true;
    do
        good = sample_trip(&s);
    while (good && s.count > 0 && !finished(&s));
    if (good)
        send_series(&s);
    end(&s);
    return good;
}

static void send_create(const execution *e)
{
    message_begin(e->out, "phase");
    message_put_text(e->out, "name", "create");
    message_put_u64(e->out, "batch", 1);
    message_put_text(e->out, "stop", "once");
    message_put_double(e->out, "samples", e->create_ns);
    message_end(e->out);
}

bool measure_samples(execution *e)
{
    send_create(e);
    if (!sample_runs(e))
        return false;
    if (e->job->in_place)
        return true;
    return sample_trips(e);
}
