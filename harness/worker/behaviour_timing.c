/*
 * behaviour_timing.c - tests that run waits for its work, that threads rest then, and that the
 * phases it records are right
 */
#include "problem/names.h"
#include "system/clock.h"
#include "worker/behaviour.h"
#include "worker/process_state.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void sleep_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static double cpu_ns(clockid_t clock)
{
    struct timespec used = {0};
    clock_gettime(clock, &used);
    return (double)used.tv_sec * 1e9 + (double)used.tv_nsec;
}

/* Of all threads but this one, for which looking at many others takes a while. */
static double others_cpu_ns(void)
{
    return cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Do the threads of the plugin rest for a moment? On a busy machine one that never rests may get no
 * time in it, but is then waiting for a core. */
static bool rest_now(fault *f_p)
{
    enum { LOOKS = 5, WAIT_MS = 5 };
    const double start = clock_now_ns(), before = others_cpu_ns();
    int running = 0;
    for (int i = 0; i < LOOKS; i++) {
        sleep_ms(WAIT_MS);
        running += process_state_others_run();
    }
    const double used = others_cpu_ns() - before, took = clock_now_ns() - start;
    *f_p = (fault){.code = FAULT_KEEPS_RUNNING, .ns = used, .expected_ns = took};
    return running < LOOKS && used < 0.1 * took;
}

/* Do they after a run? Runtimes may spin for a while, some for 200 ms; a thread that still runs
 * long after that takes a core from whatever is timed then. */
static bool rests(trial *e)
{
    enum { TRIES = 40, TELL = 8 };
    fault f = {.code = FAULT_NONE};
    if (!trial_run(e))
        return false;
    for (int i = 0; i < TRIES; i++) {
        if (rest_now(&f))
            return true;
        if (i % TELL == 0)
            trial_step(e, STEP_RUN);
    }
    return trial_fault(e, f);
}

/* On the host: nothing is written after run has returned. */
static void waits_on_host(trial *e)
{
    enum { LATE = 0x3c, WAIT_MS = 30 };
    const size_t width = dtype_bytes(e->job->dtype);
    for (int i = 0; i < 3; i++) {
        if (!trial_run(e))
            return;
        for (size_t at = 0; at < e->buffers.bytes; at += width)
            memset(buffers_run_output(&e->buffers, at), LATE, width);
        sleep_ms(WAIT_MS);
        for (size_t at = 0; at < e->buffers.bytes; at++)
            if (*buffers_run_output(&e->buffers, at) != LATE) {
                trial_fault(e, (fault){.code = FAULT_LATE_WRITE, .index = at / width});
                return;
            }
    }
}

/* Copies one element out, or has each part answer, and returns how long that took. */
static double short_copy(trial *e)
{
    uint64_t element = 0;
    double start = clock_now_ns();
    scan_status status =
        e->buffers.part_count > 1
            ? buffers_touch(&e->buffers)
            : e->plugin->memory->copy_out(e->context, &element, buffers_out(&e->buffers), 0,
                                          dtype_bytes(e->job->dtype));
    return trial_failed(e, status, STEP_COPY_OUT) ? -1 : clock_now_ns() - start;
}

/* The shortest times of some tries, in ns: of a short copy where nothing is at work, of a run, and
 * of a short copy after it. */
typedef struct short_copies {
    double idle, run, late;
} short_copies;

static bool try_short_copies(trial *e, short_copies *least)
{
    double ns = short_copy(e);
    least->idle = fmin(least->idle, ns);
    const double start = clock_now_ns();
    if (ns < 0 || !trial_run(e))
        return false;
    least->run = fmin(least->run, clock_now_ns() - start);
    ns = short_copy(e);
    least->late = fmin(least->late, ns);
    return ns >= 0;
}

static bool is_late(const short_copies *c)
{
    return c->late > 3 * c->idle + 0.5 * c->run + 2e4;
}

/* On a device, or in ranks: a short copy after run takes no longer than one where nothing is at
 * work. On a busy machine a rank may wait for a core, many times in turn: but not each time in a
 * second. */
static void waits_elsewhere(trial *e)
{
    enum { TRIES = 7, MORE_TRIES = 100, PAUSE_MS = 10 };
    short_copies least = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < TRIES; i++)
        if (!try_short_copies(e, &least))
            return;
    for (int i = 0; i < MORE_TRIES && is_late(&least); i++) {
        sleep_ms(PAUSE_MS);
        if (!try_short_copies(e, &least))
            return;
    }
    if (is_late(&least))
        trial_fault(e, (fault){.code = e->plugin->memory ? FAULT_RETURNED_EARLY
                                                         : FAULT_RANKS_RETURNED_EARLY,
                               .ns = least.run,
                               .copy_ns = least.late,
                               .expected_ns = least.idle});
}

void behave_waits(trial *e)
{
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    trial_step(e, STEP_RUN);
    if (trial_copies_elements(e))
        waits_elsewhere(e);
    else
        waits_on_host(e);
    if (trial_is_good(e))
        rests(e);
}

/* Are the phases of one recorded run named as the contract says, and are they times? */
static bool phases_are_right(trial *e)
{
    const worker_host *h = e->host;
    if (h->phases_lost)
        trial_fault(e, (fault){.code = FAULT_TOO_MANY_PHASES, .count = HOST_PHASES});
    if (h->time_bad) {
        fault f = fault_with_text(FAULT_BAD_TIME, h->bad_phase);
        f.ns = h->bad_ns;
        trial_fault(e, f);
    }
    if (h->phase_unknown)
        trial_fault(e, fault_with_text(FAULT_BAD_PHASE, h->unknown_phase));
    return trial_is_good(e);
}

/* Is the answer of a recorded run right? */
static bool answers_recorded(trial *e, uint32_t level)
{
    worker_host_record(e->host, level);
    bool good = trial_check(e, e->job->pattern, 1);
    worker_host_record(e->host, 0);
    return good;
}

/* Device time lies within the time of run, except for what a coarse clock adds. */
void behave_phases(trial *e)
{
    double excess = INFINITY;
    if (!trial_begin(e) || !answers_recorded(e, SCAN_RECORD_DEVICE) ||
        !answers_recorded(e, SCAN_RECORD_KERNELS))
        return;
    for (int i = 0; i < 10; i++) {
        worker_host_record(e->host, i % 2 ? SCAN_RECORD_KERNELS : SCAN_RECORD_DEVICE);
        double start = clock_now_ns();
        bool good = trial_run(e);
        double run_ns = clock_now_ns() - start;
        worker_host_record(e->host, 0);
        if (!good || !phases_are_right(e))
            return;
        for (size_t k = 0; k < e->host->phase_count; k++)
            if (e->host->phases[k].name.kind == PHASE_DEVICE)
                excess = fmin(excess, e->host->phases[k].ns - 1.01 * run_ns);
    }
    if (isfinite(excess) && excess > 1000)
        trial_fault(e, (fault){.code = FAULT_PHASE_EXCEEDS_RUN, .ns = excess});
}
