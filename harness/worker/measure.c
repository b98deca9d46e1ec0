#include "worker/measure.h"

#include "system/clock.h"
#include "worker/stop_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES = HOST_PHASES + 3 };

/* The samples of one phase. */
typedef struct series {
    phase_name name;
    size_t count;
    double *ns;
} series;

typedef struct sampling {
    trial *e;
    double start_ns;
    double last_step_ns;
    series series[SERIES];
    size_t count;
    stop_rule rule;
    stop_reason stop;
    unsigned batch;
} sampling;

static series *series_named(sampling *s, const phase_name *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (phase_equal(&s->series[i].name, name))
            return &s->series[i];
    if (s->count == SERIES)
        return NULL;
    series *new_one = &s->series[s->count];
    new_one->ns = calloc(s->e->job->max_samples, sizeof *new_one->ns);
    if (!new_one->ns)
        return NULL;
    new_one->name = *name;
    s->count++;
    return new_one;
}

static bool add_sample(sampling *s, const phase_name *name, double ns)
{
    series *to = series_named(s, name);
    if (!to)
        return trial_failed(s->e, SCAN_NO_MEMORY, STEP_STORE), false;
    if (to->count < s->e->job->max_samples)
        to->ns[to->count++] = ns;
    return true;
}

/* Are there enough samples? The first series decides. */
static bool finished(sampling *s)
{
    const double now = clock_now_ns();
    if (now - s->last_step_ns > 2e8) { /* tell the supervisor that we are alive */
        trial_step(s->e, STEP_SAMPLE);
        s->last_step_ns = now;
    }
    s->stop =
        stop_rule_check(&s->rule, s->series[0].ns, s->series[0].count, (now - s->start_ns) * 1e-9);
    return s->stop != STOP_NOT_YET;
}

static void send_series(const sampling *s)
{
    FILE *out = s->e->out;
    for (size_t i = 0; i < s->count; i++) {
        const series *one = &s->series[i];
        char name[PHASE_TEXT_BYTES];
        message_begin(out, "phase");
        message_put_text(out, "name", phase_print(&one->name, name));
        message_put_u64(out, "batch", s->batch);
        message_put_text(out, "stop", stop_reason_word(s->stop));
        fputs("\tsamples=", out);
        for (size_t k = 0; k < one->count; k++)
            fprintf(out, "%s%.6g", k ? "," : "", one->ns[k]);
        message_end(out);
    }
}

static void begin(sampling *s, trial *e)
{
    *s = (sampling){.e = e,
                    .batch = 1,
                    .rule = {.min_samples = e->job->min_samples,
                             .max_samples = e->job->max_samples,
                             .time_limit_s = e->job->time_limit_s}};
    s->start_ns = s->last_step_ns = clock_now_ns();
    trial_step(e, STEP_SAMPLE);
}

static void end(sampling *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->series[i].ns);
}

/* The least time that two readings of the clock take. */
static double clock_overhead_ns(void)
{
    double best = 1e9;
    for (int i = 0; i < 200; i++) {
        double start = clock_now_ns();
        double took = clock_now_ns() - start;
        if (took < best)
            best = took;
    }
    return best > 1 ? best : 1;
}

/* The time of one run in place, without the time to restore its input; negative if it failed. */
static double restored_run(trial *e)
{
    scan_status status = buffers_restore(&e->buffers);
    if (trial_failed(e, status, STEP_RESTORE))
        return -1;
    double start = clock_now_ns();
    status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double took = clock_now_ns() - start;
    trial_alone(e);
    return trial_failed(e, status, STEP_RUN) ? -1 : took;
}

static double restored_runs(trial *e, unsigned batch)
{
    double sum = 0;
    for (unsigned i = 0; i < batch; i++) {
        double ns = restored_run(e);
        if (ns < 0)
            return ns;
        sum += ns;
    }
    return sum / batch;
}

/* Takes one sample: runs `batch` times and returns the time of one run, or a negative number if a
 * run failed. */
static double timed_run(trial *e, unsigned batch)
{
    scan_buffer in = buffers_in(&e->buffers), out = buffers_out(&e->buffers);
    if (e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY)
        return restored_runs(e, batch);
    double start = clock_now_ns();
    for (unsigned i = 0; i < batch; i++) {
        scan_status status = e->plugin->run(e->self, in, out);
        trial_alone(e);
        if (status != SCAN_OK)
            return trial_failed(e, status, STEP_RUN), -1.0;
    }
    return (clock_now_ns() - start) / batch;
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
    } while (clock_now_ns() - s->start_ns < limit);
    double needed = 200 * clock_overhead_ns() / (shortest > 1 ? shortest : 1);
    s->batch = needed > 1 ? (unsigned)ceil(needed) : 1;
    return true;
}

static bool sample_runs(trial *e)
{
    static const phase_name run = {.kind = PHASE_RUN};
    sampling s;
    begin(&s, e);
    bool good = warm_up(&s);
    s.start_ns = clock_now_ns();
    while (good) {
        double ns = timed_run(e, s.batch);
        good = ns >= 0 && add_sample(&s, &run, ns);
        if (good && finished(&s))
            break;
    }
    if (good) {
        if (s.batch > 1) {
            char flag[32];
            snprintf(flag, sizeof flag, "batch=%u", s.batch);
            trial_flag(e, flag);
        }
        send_series(&s);
    }
    end(&s);
    return good;
}

/* Samples one run with the times that the plugin records. If it records nothing, that is not a
 * failure, but the group ends. */
static bool sample_recorded(sampling *s, uint32_t level)
{
    trial *e = s->e;
    if (e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY &&
        trial_failed(e, buffers_restore(&e->buffers), STEP_RESTORE))
        return false;
    double start = clock_now_ns();
    worker_host_record(e->host, level);
    scan_status status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double run_ns = clock_now_ns() - start;
    worker_host_record(e->host, 0);
    trial_alone(e);
    if (trial_failed(e, status, STEP_RUN))
        return false;
    if (e->host->phase_unknown && !strstr(e->flags, PHASE_UNKNOWN_FLAG))
        trial_flag(e, PHASE_UNKNOWN_FLAG);
    for (size_t i = 0; i < e->host->phase_count; i++) {
        double ns = e->host->phases[i].ns;
        if (!add_sample(s, &e->host->phases[i].name, ns))
            return false;
        /* Device clocks tick coarsely: a microsecond more is allowed. */
        if (ns > run_ns * 1.01 + 1000 && !strstr(e->flags, "device_exceeds_run"))
            trial_flag(e, "device_exceeds_run");
    }
    return true;
}

/* Samples copy in, run and copy out. */
static bool sample_trip(sampling *s, uint32_t unused)
{
    static const phase_name e2e = {.kind = PHASE_E2E}, h2d = {.kind = PHASE_H2D},
                            d2h = {.kind = PHASE_D2H};
    (void)unused;
    trial *e = s->e;
    double start = clock_now_ns();
    if (trial_failed(e, buffers_copy_in(&e->buffers), STEP_COPY_IN))
        return false;
    double ran = clock_now_ns();
    scan_status status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    double done = clock_now_ns();
    trial_alone(e);
    if (trial_failed(e, status, STEP_RUN) ||
        trial_failed(e, buffers_copy_out(&e->buffers), STEP_COPY_OUT))
        return false;
    double stop = clock_now_ns();
    return add_sample(s, &e2e, stop - start) && add_sample(s, &h2d, ran - start) &&
           add_sample(s, &d2h, stop - done);
}

/* Samples another group, for half as long as `run`, because plugins are compared by `run`. */
static bool sample_group(trial *e, bool (*sample)(sampling *, uint32_t), uint32_t level)
{
    sampling s;
    begin(&s, e);
    s.rule.time_limit_s /= 2;
    bool good = true;
    do
        good = sample(&s, level);
    while (good && s.count > 0 && !finished(&s));
    if (good)
        send_series(&s);
    end(&s);
    return good;
}

static void send_create(const trial *e)
{
    message_begin(e->out, "phase");
    message_put_text(e->out, "name", phase_word(PHASE_CREATE));
    message_put_u64(e->out, "batch", 1);
    message_put_text(e->out, "stop", stop_reason_word(STOP_ONCE));
    message_put_double(e->out, "samples", e->create_ns);
    message_end(e->out);
}

bool measure_samples(trial *e)
{
    send_create(e);
    if (e->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN)
        trial_flag(e, "allocates_in_run");
    bool copies = e->plugin->memory != NULL;
    return sample_runs(e) && sample_group(e, sample_recorded, SCAN_RECORD_DEVICE) &&
           sample_group(e, sample_recorded, SCAN_RECORD_KERNELS) &&
           (!copies || sample_group(e, sample_trip, 0));
}
