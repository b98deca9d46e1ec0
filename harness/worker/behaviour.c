#include "worker/behaviour.h"

#include "problem/names.h"
#include "system/clock.h"
#include "worker/hooks.h"
#include "worker/process_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Runs on an input whose memory is read-only. */
void behave_input(trial *t)
{
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    const guarded_buffer *input = &buffers_undivided(&t->buffers)->host_in;
    trial_step(t, STEP_READ_ONLY_RUN);
    if (!guarded_protect(input, PROT_READ)) {
        trial_fault(t, (fault){.code = FAULT_CANNOT_PROTECT});
        return;
    }
    trial_run(t);
    guarded_protect(input, PROT_READ | PROT_WRITE);
}

/* Copies the output to the host, as bytes. */
static bool fetch(trial *t, void *bytes)
{
    if (!t->plugin->memory) {
        memcpy(bytes, scan_host_pointer(buffers_out(&t->buffers)), t->buffers.out_bytes);
        return true;
    }
    if (trial_failed(t, buffers_each(&t->buffers, part_copy_out), STEP_COPY_OUT))
        return false;
    memcpy(bytes, buffers_undivided(&t->buffers)->host_out.data, t->buffers.out_bytes);
    return true;
}

static void compare_bits(trial *t, unsigned char *first, unsigned char *again)
{
    const size_t bytes = t->buffers.out_bytes, element = dtype_bytes(job_result_type(t->job));
    input_spec spec = job_input(t->job, t->job->run.pattern);
    if (!trial_check(t, t->job->run.pattern, 1) || !fetch(t, first))
        return;
    for (int i = 0; i < 6; i++) {
        if (trial_failed(t, buffers_poison(&t->buffers, &spec), STEP_POISON) || !trial_run(t) ||
            !fetch(t, again))
            return;
        size_t at = 0;
        while (at < bytes && first[at] == again[at])
            at++;
        if (at < bytes) {
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
    unsigned char *bytes = malloc(2 * t->buffers.out_bytes + 1);
    if (bytes)
        compare_bits(t, bytes, bytes + t->buffers.out_bytes);
    else
        trial_failed(t, SCAN_NO_MEMORY, STEP_STORE);
    free(bytes);
}

/* Ends counting. Was there an allocation? */
static bool has_allocated(trial *t)
{
    size_t largest = 0;
    const size_t count = malloc_hook_end(&largest);
    if (count > 0 && trial_is_good(t))
        trial_fault(t, (fault){.code = FAULT_MALLOC_IN_RUN, .count = count, .bytes = largest});
    return count > 0;
}

/* Watches the second and the third run; of the first one, in which the dynamic linker may allocate,
 * the plugin's own code, which a peer shares with its library. */
void behave_heap(trial *t)
{
    if (!malloc_hook_works()) {
        trial_fault(t, (fault){.code = FAULT_CANNOT_COUNT});
        return;
    }
    if (!trial_begin(t))
        return;
    hooks_watch_file(t->exported);
    malloc_hook_begin(t->plugin->role == SCAN_ROLE_PEER ? MALLOC_HOOK_OFF : MALLOC_HOOK_FILE);
    const bool good = trial_check(t, t->job->run.pattern, 1);
    if (has_allocated(t) || !good)
        return;
    trial_step(t, STEP_RUN);
    malloc_hook_begin(MALLOC_HOOK_ALL);
    if (trial_run(t))
        trial_run(t);
    has_allocated(t);
}

/* ---- time -------------------------------------------------------------------- */

/* Of all threads but this one, for which looking at many others takes a while, and of a plugin in
 * Python. */
static double others_cpu_ns(const trial *t)
{
    const pid_t python = python_pid(t->host->python);
    const double own_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double used_ns = own_ns - clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    clockid_t of_python;
    if (python <= 0 || clock_getcpuclockid(python, &of_python) != 0)
        return used_ns;
    return used_ns + clock_read_ns(of_python);
}

/* Do the threads of the plugin rest for a moment? On a busy machine one that never rests may get no
 * time in it, but is then waiting for a core. */
static bool rest_now(const trial *t, fault *f_p)
{
    enum { LOOKS = 5, WAIT_NS = 5000000 };
    const double start = clock_now_ns(), before = others_cpu_ns(t);
    int running = 0;
    for (int i = 0; i < LOOKS; i++) {
        clock_sleep_ns(WAIT_NS);
        running += process_state_others_run();
    }
    const double used = others_cpu_ns(t) - before, took = clock_now_ns() - start;
    *f_p = (fault){.code = FAULT_KEEPS_RUNNING, .ns = used, .expected_ns = took};
    return running < LOOKS && used < 0.1 * took;
}

/* Do they after a run? Runtimes may spin for a while, some for 200 ms; a thread that still runs
 * long after that takes a core from whatever is timed then. On a busy machine a thread that yields
 * as it spins takes longer for as much, and is given the time. */
static bool rests(trial *t)
{
    enum { TRIES = 40, MOST_TRIES = 400, TELL = 8, SPIN_NS = 500000000 };
    fault f = {.code = FAULT_NONE};
    if (!trial_run(t))
        return false;
    const double before = others_cpu_ns(t);
    for (int i = 0; i < TRIES || (i < MOST_TRIES && others_cpu_ns(t) - before < SPIN_NS); i++) {
        if (rest_now(t, &f))
            return true;
        if (i % TELL == 0)
            trial_step(t, STEP_RUN);
    }
    return trial_fault(t, f);
}

/* Makes the inputs inaccessible, or accessible again, where outputs lie elsewhere. */
static void hide_inputs(const trial *t, bool hides)
{
    for (uint32_t i = 0; i < t->buffers.part_count && !t->buffers.in_place; i++)
        guarded_protect(&t->buffers.parts[i].host_in, hides ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* Destroys the instance where it cannot read the input of its last run. */
static void destroy_without_input(trial *t)
{
    hide_inputs(t, true);
    trial_destroy(t);
    hide_inputs(t, false);
}

/* On the host: nothing is written, and no input read, after run has returned. */
static void waits_on_host(trial *t)
{
    enum { LATE = 0x3c, WAIT_NS = 30000000 };
    const size_t bytes = t->buffers.out_bytes, width = dtype_bytes(job_result_type(t->job));
    for (uint32_t i = 0; i < t->job->run.repeat; i++) {
        trial_step(t, STEP_RUN);
        if (!trial_run(t))
            return;
        trial_step(t, STEP_AFTER_RUN);
        hide_inputs(t, true);
        for (size_t at = 0; at < bytes; at += width)
            memset(buffers_run_output(&t->buffers, at), LATE, width);
        clock_sleep_ns(WAIT_NS);
        hide_inputs(t, false);
        for (size_t at = 0; at < bytes; at++)
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
                                          dtype_bytes(job_result_type(t->job)));
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

/* Copies the input in, changes the host's memory as soon as copy_in has returned, and reads the
 * device's. `kept` has room for it. */
static void copies_at_once(trial *t, unsigned char *kept)
{
    enum { BEFORE = 0xc3, LATER = 0x3c };
    const size_t bytes = t->buffers.bytes, width = dtype_bytes(t->job->dtype);
    part *p = buffers_undivided(&t->buffers);
    unsigned char *from = p->host_in.data, *back = p->host_out.data;
    memcpy(kept, from, bytes);
    trial_step(t, STEP_COPY_IN);
    if (trial_failed(t, p->plugin->memory->fill(p->context, p->in, 0, bytes, BEFORE),
                     STEP_COPY_IN) ||
        trial_failed(t, part_copy_in(p), STEP_COPY_IN))
        return;
    memset(from, LATER, bytes);
    const scan_status status = p->plugin->memory->copy_out(p->context, back, p->in, 0, bytes);
    size_t at = 0;
    memcpy(from, kept, bytes);
    while (at < bytes && back[at] == kept[at])
        at++;
    if (!trial_failed(t, status, STEP_COPY_OUT) && at < bytes)
        trial_fault(t,
                    (fault){.code = FAULT_NOT_COPIED, .buffer = FAULT_INPUT, .index = at / width});
}

static void waits_in_copies(trial *t)
{
    unsigned char *kept = malloc(t->buffers.bytes + 1);
    if (kept)
        copies_at_once(t, kept);
    else
        trial_failed(t, SCAN_NO_MEMORY, STEP_STORE);
    free(kept);
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
    if (trial_is_good(t) && t->plugin->memory && t->buffers.part_count == 1)
        waits_in_copies(t);
    if (trial_is_good(t) && rests(t) && !trial_copies_elements(t))
        destroy_without_input(t);
}

/* ---- any of them -------------------------------------------------------------- */

void behave(trial *t)
{
#define BEHAVE_ENTRY(name, word) [BEHAVE_##name] = behave_##word,
    static void (*const behaviours[BEHAVE_COUNT])(trial *) = {JOB_BEHAVIOUR_MAP(BEHAVE_ENTRY)};
#undef BEHAVE_ENTRY
    behaviours[t->job->behave.behaviour](t);
}
