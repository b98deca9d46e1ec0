#include "worker/behaviour.h"

#include "problem/names.h"
#include "system/clock.h"
#include "worker/hooks.h"
#include "worker/process_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs on an input whose memory is read-only. */
void behave_input(trial *t)
{
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    const guarded_buffer *input = &buffers_undivided(&t->buffers)->host_in;
    trial_step(t, STEP_READ_ONLY_RUN);
    if (!guarded_protect(input, true)) {
        trial_fault(t, (fault){.code = FAULT_CANNOT_PROTECT});
        return;
    }
    trial_run(t);
    guarded_protect(input, false);
}

/* Copies the output to the host, as bytes. */
static bool fetch(trial *t, void *bytes)
{
    if (!t->plugin->memory) {
        memcpy(bytes, scan_host_pointer(buffers_out(&t->buffers)), t->buffers.bytes);
        return true;
    }
    if (trial_failed(t, buffers_copy_out(&t->buffers), STEP_COPY_OUT))
        return false;
    memcpy(bytes, buffers_undivided(&t->buffers)->host_out.data, t->buffers.bytes);
    return true;
}

static void compare_bits(trial *t, unsigned char *first, unsigned char *again)
{
    const size_t element = dtype_bytes(t->job->dtype);
    input_spec spec = job_input(t->job, t->job->run.pattern);
    if (!trial_check(t, t->job->run.pattern, 1) || !fetch(t, first))
        return;
    for (int i = 0; i < 6; i++) {
        if (trial_failed(t, buffers_poison(&t->buffers, &spec), STEP_POISON) || !trial_run(t) ||
            !fetch(t, again))
            return;
        size_t at = 0;
        while (at < t->buffers.bytes && first[at] == again[at])
            at++;
        if (at < t->buffers.bytes) {
            trial_fault(t, (fault){.code = FAULT_DIFFERENT_BITS,
                                   .count = (uint64_t)i + 2,
                                   .index = at / element});
            return;
        }
    }
}

void behave_same_bits(trial *t)
{
    if (!trial_begin(t))
        return;
    unsigned char *bytes = malloc(2 * t->buffers.bytes + 1);
    if (bytes)
        compare_bits(t, bytes, bytes + t->buffers.bytes);
    else
        trial_failed(t, SCAN_NO_MEMORY, STEP_STORE);
    free(bytes);
}

/* Calls create with its k-th allocation failing. *failed_p: did create make that many allocations?
 * *kept_p: how many blocks it did not release. false if create did not report the failure. */
static bool starve(trial *t, uint64_t k, bool *failed_p, uint64_t *kept_p)
{
    void *self = NULL;
    const uint64_t before = t->host->scratch.count;
    t->host->scratch.fail = k;
    bool good = trial_create(t, &self);
    *failed_p = t->host->scratch.fail == 0;
    t->host->scratch.fail = 0;
    if (!*failed_p) {
        if (good)
            t->plugin->destroy(self);
        return good;
    }
    *kept_p = t->host->scratch.count - before;
    if (good)
        return trial_fault(t, (fault){.code = FAULT_CREATED_WITHOUT_MEMORY, .index = k});
    if (t->fault.code != FAULT_NO_MEMORY || !*t->fault.text)
        return trial_fault(t, (fault){.code = FAULT_STARVED_SILENTLY, .index = k});
    t->fault = (fault){.code = FAULT_NONE};
    return true;
}

/* Lets each allocation of create fail in turn. A context may keep something for later (compiled
 * programs), but only once: only blocks that are left every time are leaks. */
void behave_no_memory(trial *t)
{
    enum { MOST = 256, TIMES = 3 };
    bool failed = true;
    for (uint64_t k = 1; k <= MOST && failed; k++) {
        uint64_t kept = 1;
        for (int i = 0; i < TIMES && kept > 0 && failed; i++)
            if (!starve(t, k, &failed, &kept))
                return;
        if (failed && kept > 0) {
            trial_fault(t, (fault){.code = FAULT_KEPT_ON_FAILURE, .index = k, .count = kept});
            return;
        }
    }
}

/* Watches the second and the third run: in the first, the dynamic linker may allocate. */
void behave_heap(trial *t)
{
    size_t largest = 0;
    if (!malloc_hook_works()) {
        trial_fault(t, (fault){.code = FAULT_CANNOT_COUNT});
        return;
    }
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    trial_step(t, STEP_RUN);
    malloc_hook_begin();
    bool good = trial_run(t);
    good = good && trial_run(t);
    size_t count = malloc_hook_end(&largest);
    if (good && count > 0)
        trial_fault(t, (fault){.code = FAULT_MALLOC_IN_RUN, .count = count, .bytes = largest});
}

/* ---- time -------------------------------------------------------------------- */

/* Of all threads but this one, for which looking at many others takes a while. */
static double others_cpu_ns(void)
{
    return process_state_cpu_ns(CLOCK_PROCESS_CPUTIME_ID) -
           process_state_cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Do the threads of the plugin rest for a moment? On a busy machine one that never rests may get no
 * time in it, but is then waiting for a core. */
static bool rest_now(fault *f_p)
{
    enum { LOOKS = 5, WAIT_NS = 5000000 };
    const double start = clock_now_ns(), before = others_cpu_ns();
    int running = 0;
    for (int i = 0; i < LOOKS; i++) {
        clock_sleep_ns(WAIT_NS);
        running += process_state_others_run();
    }
    const double used = others_cpu_ns() - before, took = clock_now_ns() - start;
    *f_p = (fault){.code = FAULT_KEEPS_RUNNING, .ns = used, .expected_ns = took};
    return running < LOOKS && used < 0.1 * took;
}

/* Do they after a run? Runtimes may spin for a while, some for 200 ms; a thread that still runs
 * long after that takes a core from whatever is timed then. */
static bool rests(trial *t)
{
    enum { TRIES = 40, TELL = 8 };
    fault f = {.code = FAULT_NONE};
    if (!trial_run(t))
        return false;
    for (int i = 0; i < TRIES; i++) {
        if (rest_now(&f))
            return true;
        if (i % TELL == 0)
            trial_step(t, STEP_RUN);
    }
    return trial_fault(t, f);
}

/* On the host: nothing is written after run has returned. */
static void waits_on_host(trial *t)
{
    enum { LATE = 0x3c, WAIT_NS = 30000000 };
    const size_t width = dtype_bytes(t->job->dtype);
    for (int i = 0; i < 3; i++) {
        if (!trial_run(t))
            return;
        for (size_t at = 0; at < t->buffers.bytes; at += width)
            memset(buffers_run_output(&t->buffers, at), LATE, width);
        clock_sleep_ns(WAIT_NS);
        for (size_t at = 0; at < t->buffers.bytes; at++)
            if (*buffers_run_output(&t->buffers, at) != LATE) {
                trial_fault(t, (fault){.code = FAULT_LATE_WRITE, .index = at / width});
                return;
            }
    }
}

/* Copies one element out, or has each part answer, and returns how long that took. */
static double short_copy(trial *t)
{
    uint64_t element = 0;
    double start = clock_now_ns();
    scan_status status =
        t->buffers.part_count > 1
            ? buffers_tell(&t->buffers, PART_TOUCH)
            : t->plugin->memory->copy_out(t->context, &element, buffers_out(&t->buffers), 0,
                                          dtype_bytes(t->job->dtype));
    return trial_failed(t, status, STEP_COPY_OUT) ? -1 : clock_now_ns() - start;
}

/* The shortest times of some tries, in ns: of a short copy where nothing is at work, of a run, and
 * of a short copy after it. */
typedef struct short_copies {
    double idle, run, late;
} short_copies;

static bool try_short_copies(trial *t, short_copies *least)
{
    double ns = short_copy(t);
    least->idle = fmin(least->idle, ns);
    const double start = clock_now_ns();
    if (ns < 0 || !trial_run(t))
        return false;
    least->run = fmin(least->run, clock_now_ns() - start);
    ns = short_copy(t);
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
static void waits_elsewhere(trial *t)
{
    enum { TRIES = 7, MORE_TRIES = 100, PAUSE_NS = 10000000 };
    short_copies least = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < TRIES; i++)
        if (!try_short_copies(t, &least))
            return;
    for (int i = 0; i < MORE_TRIES && is_late(&least); i++) {
        clock_sleep_ns(PAUSE_NS);
        if (!try_short_copies(t, &least))
            return;
    }
    if (is_late(&least))
        trial_fault(t, (fault){.code = t->plugin->memory ? FAULT_RETURNED_EARLY
                                                         : FAULT_RANKS_RETURNED_EARLY,
                               .ns = least.run,
                               .copy_ns = least.late,
                               .expected_ns = least.idle});
}

void behave_waits(trial *t)
{
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    trial_step(t, STEP_RUN);
    if (trial_copies_elements(t))
        waits_elsewhere(t);
    else
        waits_on_host(t);
    if (trial_is_good(t))
        rests(t);
}

/* Are the phases of one recorded run named as the contract says, and are they times? */
static bool phases_are_right(trial *t)
{
    const worker_host *h = t->host;
    if (h->phases_lost)
        trial_fault(t, (fault){.code = FAULT_TOO_MANY_PHASES, .count = HOST_PHASES});
    if (h->time_bad) {
        fault f = fault_with_text(FAULT_BAD_TIME, h->bad_phase);
        f.ns = h->bad_ns;
        trial_fault(t, f);
    }
    if (h->phase_unknown)
        trial_fault(t, fault_with_text(FAULT_BAD_PHASE, h->unknown_phase));
    return trial_is_good(t);
}

/* Is the answer of a recorded run right? */
static bool answers_recorded(trial *t, uint32_t level)
{
    worker_host_record(t->host, level);
    bool good = trial_check(t, t->job->run.pattern, 1);
    worker_host_record(t->host, 0);
    return good;
}

/* Device time lies within the time of run, except for what a coarse clock adds. */
void behave_phases(trial *t)
{
    double excess = INFINITY;
    if (!trial_begin(t) || !answers_recorded(t, SCAN_RECORD_DEVICE) ||
        !answers_recorded(t, SCAN_RECORD_KERNELS))
        return;
    for (int i = 0; i < 10; i++) {
        worker_host_record(t->host, i % 2 ? SCAN_RECORD_KERNELS : SCAN_RECORD_DEVICE);
        double start = clock_now_ns();
        bool good = trial_run(t);
        double run_ns = clock_now_ns() - start;
        worker_host_record(t->host, 0);
        if (!good || !phases_are_right(t))
            return;
        for (size_t k = 0; k < t->host->phase_count; k++)
            if (t->host->phases[k].name.kind == PHASE_DEVICE)
                excess = fmin(excess, t->host->phases[k].ns - 1.01 * run_ns);
    }
    if (isfinite(excess) && excess > 1000)
        trial_fault(t, (fault){.code = FAULT_PHASE_EXCEEDS_RUN, .ns = excess});
}

/* ---- any of them -------------------------------------------------------------- */

void behave(trial *t)
{
#define BEHAVE_ENTRY(name, word) [BEHAVE_##name] = behave_##word,
    static void (*const behaviours[BEHAVE_COUNT])(trial *) = {JOB_BEHAVIOUR_MAP(BEHAVE_ENTRY)};
#undef BEHAVE_ENTRY
    behaviours[t->job->behave.behaviour](t);
}
