/*
 * behaviour_leaks.c - tests that instances and their runs leave nothing behind, on the host and on
 * a device
 */
#include "system/clock.h"
#include "worker/behaviour.h"
#include "worker/process_state.h"

#include <time.h>

enum { WARM = 20, QUARTERS = 4, LIVES = 25, RUNS = 500, LEAST_TIMES = 5 };

/* Bytes of heap that one create and destroy may leave. Drivers now and then leak some bytes; an
 * object that a plugin forgets is larger. */
enum { LEAST_ON_HOST = 16, LEAST_ON_DEVICE = 128 };

/* Bytes of address space that a life, and a run, may leave on average. */
enum { LEAST_MAPPED = 2048, LEAST_MAPPED_BY_RUN = 256 };

/* What is repeated to see what it leaves behind. */
typedef struct repetition {
    bool (*once)(trial *e);
    worker_step step; /* its name */
    int quarter;      /* how often, four times */
    int from;         /* the first quarter that counts */
    uint64_t least_mapped;
} repetition;

/* What the process held before the first quarter and after each. */
typedef struct holdings {
    process_state_usage usage[QUARTERS + 1];
    /* of any program */
    uint64_t files[QUARTERS + 1][PROCESS_STATE_FOLDERS];
    uint64_t blocks; /* of host->allocate, before */
} holdings;

/* Waits a moment for detached threads to end. */
static void settle(process_state_usage *usage_p, const process_state_usage *before)
{
    for (int i = 0; i < 20; i++) {
        const struct timespec moment = {.tv_nsec = 5000000};
        process_state_measure(usage_p);
        if (!before || usage_p->threads <= before->threads)
            return;
        nanosleep(&moment, NULL);
    }
}

/* Creates, runs and destroys one instance, on e's buffers. */
static bool live(trial *e)
{
    void *const keep = e->self;
    if (!trial_create(e, &e->self)) {
        e->self = keep;
        return false;
    }
    bool good = trial_run(e);
    e->plugin->destroy(e->self);
    trial_alone(e);
    e->self = keep;
    return good;
}

/* Did the bytes grow in every quarter that counts, by at least `least` each time on average? */
static bool grows(const uint64_t bytes[QUARTERS + 1], const repetition *r, uint64_t least)
{
    for (int i = r->from; i < QUARTERS; i++)
        if (bytes[i + 1] <= bytes[i])
            return false;
    return bytes[QUARTERS] - bytes[r->from] >=
           least * (uint64_t)r->quarter * (uint64_t)(QUARTERS - r->from);
}

/* How many files each repetition left in a folder, if it was the same number in each quarter that
 * counts: other programs make and remove files too, but not so evenly. */
static uint64_t files_left(const holdings *h, const repetition *r, int folder)
{
    const uint64_t quarter = (uint64_t)r->quarter;
    const uint64_t most = h->files[QUARTERS][folder], before = h->files[QUARTERS - 1][folder];
    const uint64_t each = most > before ? most - before : 0;
    for (int i = r->from; i < QUARTERS; i++)
        if (h->files[i + 1][folder] - h->files[i][folder] != each)
            return 0;
    return each % quarter == 0 ? each / quarter : 0;
}

static uint64_t files_left_anywhere(const holdings *h, const repetition *r)
{
    uint64_t most = 0;
    for (int folder = 0; folder < PROCESS_STATE_FOLDERS; folder++) {
        const uint64_t left = files_left(h, r, folder);
        most = left > most ? left : most;
    }
    return most * (uint64_t)r->quarter * QUARTERS;
}

/* What it counts, other than bytes; FAULT_NONE: nothing is left. */
static fault counted(const trial *e, const holdings *h, const repetition *r)
{
    const process_state_usage *first = h->usage, *last = &h->usage[QUARTERS];
    if (e->host->scratch.count > h->blocks)
        return (fault){.code = FAULT_LEAK_BLOCKS, .count = e->host->scratch.count - h->blocks};
    if (last->descriptors > first->descriptors)
        return (fault){.code = FAULT_LEAK_FILES, .count = last->descriptors - first->descriptors};
    if (last->threads > first->threads)
        return (fault){.code = FAULT_LEAK_THREADS, .count = last->threads - first->threads};
    if (last->timers > first->timers)
        return (fault){.code = FAULT_LEAK_TIMERS, .count = last->timers - first->timers};
    if (last->segments > first->segments)
        return (fault){.code = FAULT_LEAK_SHARED, .count = last->segments - first->segments};
    const uint64_t files = files_left_anywhere(h, r);
    if (files > 0)
        return (fault){.code = FAULT_LEAK_NAMES, .count = files};
    return (fault){.code = FAULT_NONE};
}

/* The same of heap and address space. */
static fault grown(const trial *e, const holdings *h, const repetition *r)
{
    uint64_t heap[QUARTERS + 1], mapped[QUARTERS + 1];
    for (int i = 0; i <= QUARTERS; i++) {
        heap[i] = h->usage[i].heap_bytes;
        mapped[i] = h->usage[i].mapped_bytes;
    }
    if (grows(heap, r, e->plugin->memory ? LEAST_ON_DEVICE : LEAST_ON_HOST))
        return (fault){.code = FAULT_LEAK_HEAP, .bytes = heap[QUARTERS] - heap[0]};
    if (grows(mapped, r, r->least_mapped))
        return (fault){.code = FAULT_LEAK_PAGES, .bytes = mapped[QUARTERS] - mapped[0]};
    return (fault){.code = FAULT_NONE};
}

static void judge(trial *e, const holdings *h, const repetition *r)
{
    fault f = counted(e, h, r);
    if (f.code == FAULT_NONE)
        f = grown(e, h, r);
    if (f.code == FAULT_NONE)
        return;
    f.total = (uint64_t)r->quarter * QUARTERS;
    f.step = r->step;
    trial_fault(e, f);
}

/* Repeats it, and measures what the process holds after each quarter. */
static bool watch_quarters(trial *e, const repetition *r, holdings *h_p)
{
    double told = clock_now_ns();
    for (int i = 0; i <= QUARTERS * r->quarter; i++) {
        if (i % r->quarter == 0) {
            settle(&h_p->usage[i / r->quarter], i ? h_p->usage : NULL);
            process_state_count_files(h_p->files[i / r->quarter]);
        }
        if (i < QUARTERS * r->quarter && !r->once(e))
            return false;
        trial_show_life(e, r->step == STEP_RUN ? STEP_RUN : STEP_CREATE, &told);
    }
    return true;
}

/* false if a call failed; *ns_p: how long one took, on average. */
static bool warm_up(trial *e, const repetition *r, double *ns_p)
{
    const double limit_ns = r->step == STEP_RUN ? 5e8 : 4e9, start = clock_now_ns();
    int done = 0;
    while (done < WARM && (done < LEAST_TIMES || clock_now_ns() - start < limit_ns)) {
        if (!r->once(e))
            return false;
        done++;
    }
    *ns_p = (clock_now_ns() - start) / done;
    return true;
}

static bool observe(trial *e, const repetition *r)
{
    holdings h = {.blocks = e->host->scratch.count};
    if (!watch_quarters(e, r, &h))
        return false;
    judge(e, &h, r);
    return true;
}

/* How many of what takes ns each fit into a quarter. */
static int times_within(double quarter_ns, double ns, int most)
{
    const double fit = quarter_ns / (ns + 1);
    return fit > most ? most : fit < LEAST_TIMES ? LEAST_TIMES : (int)fit;
}

static bool watch_host(trial *e)
{
    const double quarter_ns = 4e9;
    repetition lives = {.once = live, .step = STEP_LIFE, .least_mapped = LEAST_MAPPED};
    double ns = 0;
    if (!warm_up(e, &lives, &ns))
        return false;
    lives.quarter = times_within(quarter_ns, ns, LIVES);
    return observe(e, &lives);
}

/* Some leaks begin only after many runs of one instance: the second half of them counts. */
static bool watch_runs(trial *e)
{
    const double quarter_ns = 2e8;
    repetition runs = {.once = trial_run,
                       .step = STEP_RUN,
                       .from = QUARTERS / 2,
                       .least_mapped = LEAST_MAPPED_BY_RUN};
    double ns = 0;
    if (!warm_up(e, &runs, &ns))
        return false;
    runs.quarter = times_within(quarter_ns, ns, RUNS);
    return observe(e, &runs);
}

/* Creates and destroys `count` instances without a run. */
static bool live_and_die(trial *e, int count, double *told_p)
{
    for (int i = 0; i < count; i++) {
        void *self = NULL;
        if (!trial_create(e, &self))
            return false;
        e->plugin->destroy(self);
        trial_alone(e);
        trial_show_life(e, STEP_CREATE, told_p);
    }
    return true;
}

/* Drivers take device memory in pieces of some MiB, and one instance loses only a small part of
 * that, so this creates as many as fit into some tenths of a second. Other processes may use the
 * device too, but they do not take more in every quarter for long. */
static bool watch_device(trial *e)
{
    enum { MOST = 8192 };
    const double quarter_ns = 4e8;
    const uint64_t all = UINT64_C(1) << 62;
    uint64_t used[QUARTERS + 1];
    double start = clock_now_ns();
    double told = start;
    if (!live_and_die(e, WARM, &told))
        return false;
    double lives = WARM * quarter_ns / (clock_now_ns() - start + 1);
    int count = lives > MOST ? MOST : lives < LIVES ? LIVES : (int)lives;
    for (int i = 0; i <= QUARTERS; i++) {
        uint64_t bytes = 0;
        if (i > 0 && !live_and_die(e, count, &told))
            return false;
        if (trial_failed(e, e->plugin->memory->available(e->context, &bytes), STEP_AVAILABLE))
            return false;
        used[i] = all - bytes;
    }
    if (grows(used, &(repetition){.quarter = 1}, 1))
        trial_fault(e, (fault){.code = FAULT_LEAK_DEVICE,
                               .step = STEP_LIFE,
                               .total = (uint64_t)count * QUARTERS,
                               .bytes = used[QUARTERS] - used[0]});
    return true;
}

/* Repeats a failed test: runtimes grow their own pools now and then, but a plugin that leaks does
 * so every time. */
static void insist(trial *e, bool (*watch)(trial *))
{
    enum { TIMES = 3 };
    for (int i = 0; i < TIMES; i++) {
        e->fault = (fault){.code = FAULT_NONE};
        if (!watch(e) || trial_is_good(e))
            return;
    }
}

void behave_leaks(trial *e)
{
    const bool had_children = process_state_has_children();
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    insist(e, watch_host);
    if (trial_is_good(e))
        insist(e, watch_runs);
    if (trial_is_good(e) && e->plugin->memory && e->plugin->memory->available)
        insist(e, watch_device);
    if (trial_is_good(e) && !had_children && process_state_has_children())
        trial_fault(e, (fault){.code = FAULT_LEFT_PROCESS});
}
