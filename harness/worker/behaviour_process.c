/*
 * behaviour_process.c - tests that the process is left as it was, and that instances and their runs
 * leave nothing behind, on the host and on a device
 */
#include "protocol/message.h"
#include "system/clock.h"
#include "system/process_tree.h"
#include "worker/behaviour.h"
#include "worker/hooks.h"
#include "worker/process_state.h"

#include <math.h>
#include <string.h>

/* ---- leaks -------------------------------------------------------------------- */

/* Something is repeated in four quarters, and what the process holds is measured after each. */
enum { WARM = 20, QUARTERS = 4, LIVES = 25, RUNS = 500, DEVICE_LIVES = 8192, LEAST_TIMES = 5 };

/* Bytes of heap that one create and destroy may leave. Drivers now and then leak some bytes; an
 * object that a plugin forgets is larger. */
enum { LEAST_ON_HOST = 16, LEAST_ON_DEVICE = 128 };

/* What is repeated to see what it leaves behind. */
typedef struct repetition repetition;
struct repetition {
    bool (*once)(trial *t, const repetition *r);
    worker_step step;    /* its name */
    bool on_device;      /* device memory is looked at, and nothing else */
    int from;            /* the first quarter that counts */
    int least, most;     /* how often in a quarter, */
    double quarter_ns;   /* for about how long, */
    double warm_up_ns;   /* and for how long at most before */
    uint64_t left_pages; /* bytes of address space that each may leave on average */
    uint64_t failing;    /* which allocation fails in each, counted from 1; 0: none */
    bool in_plugin;      /* of those by the plugin's own code, rather than by host->allocate */
};

/* What the process held before the first quarter and after each. */
typedef struct holdings {
    int times; /* in a quarter */
    process_state_usage usage[QUARTERS + 1];
    uint64_t blocks; /* of host->allocate, before */
} holdings;

static bool run_once(trial *t, const repetition *r)
{
    (void)r;
    return trial_run(t);
}

/* Creates, runs and destroys one instance, on its buffers. */
static bool live(trial *t, const repetition *r)
{
    void *const keep = t->self;
    (void)r;
    if (!trial_create(t, &t->self))
        return false;
    const bool good = trial_run(t);
    t->plugin->destroy(t->self);
    trial_alone(t);
    t->self = keep;
    return good;
}

/* Creates and destroys one, without a run. */
static bool live_and_die(trial *t, const repetition *r)
{
    void *self = NULL;
    (void)r;
    if (!trial_create(t, &self))
        return false;
    t->plugin->destroy(self);
    trial_alone(t);
    return true;
}

/* Runs on new buffers, into which the input and from which the output is copied. */
static bool renew_buffers(trial *t, const repetition *r)
{
    const input_spec spec = job_input(t->job, t->job->run.pattern);
    (void)r;
    trial_release(t);
    return trial_allocate_all(t) && trial_compare_silently(t, &spec, FAULT_AT_OTHER_BUFFERS);
}

/* Waits a moment for detached threads to end. */
static void settle(process_state_usage *usage_p, const process_state_usage *before)
{
    const double moment_ns = 5e6;
    for (int i = 0; i < 20; i++) {
        process_state_measure(usage_p);
        if (!before || usage_p->held[HELD_THREADS] <= before->held[HELD_THREADS])
            return;
        clock_sleep_ns(moment_ns);
    }
}

static bool measure(trial *t, const repetition *r, holdings *h, int quarter)
{
    const uint64_t all = UINT64_C(1) << 62;
    uint64_t available = 0;
    if (!r->on_device) {
        settle(&h->usage[quarter], quarter ? h->usage : NULL);
        return true;
    }
    if (trial_failed(t, t->plugin->memory->available(t->context, &available), STEP_AVAILABLE))
        return false;
    h->usage[quarter].held[HELD_DEVICE_BYTES] = all - available;
    return true;
}

/* false if a call failed; *times_p: how many fit into a quarter. */
static bool warm_up(trial *t, const repetition *r, int *times_p)
{
    const double start = clock_now_ns();
    int done = 0;
    while (done < WARM && (done < LEAST_TIMES || clock_now_ns() - start < r->warm_up_ns)) {
        if (!r->once(t, r))
            return false;
        done++;
    }
    const double fit = r->quarter_ns / ((clock_now_ns() - start) / done + 1);
    *times_p = fit > r->most ? r->most : fit < r->least ? r->least : (int)fit;
    return true;
}

/* Repeats it, and measures what the process holds after each quarter. */
static bool repeat(trial *t, const repetition *r, holdings *h)
{
    for (int i = 0; i <= QUARTERS * h->times; i++) {
        if (i % h->times == 0 && !measure(t, r, h, i / h->times))
            return false;
        if (i < QUARTERS * h->times && !r->once(t, r))
            return false;
        trial_show_life(t, r->step == STEP_RUN ? STEP_RUN : STEP_CREATE);
    }
    return true;
}

/* Did the bytes grow in every quarter that counts, by at least `least` each time on average? */
static bool grows(const holdings *h, process_held bytes, const repetition *r, uint64_t least)
{
    for (int i = r->from; i < QUARTERS; i++)
        if (h->usage[i + 1].held[bytes] <= h->usage[i].held[bytes])
            return false;
    return h->usage[QUARTERS].held[bytes] - h->usage[r->from].held[bytes] >=
           least * (uint64_t)(QUARTERS - r->from);
}

/* How many files each repetition left in a folder, if it was the same number in each quarter that
 * counts: other programs make and remove files too, but not so evenly. */
static uint64_t files_left(const holdings *h, const repetition *r, int folder)
{
    const uint64_t times = (uint64_t)h->times;
    uint64_t each = 0;
    for (int i = r->from; i < QUARTERS; i++) {
        const uint64_t before = h->usage[i].files[folder], now = h->usage[i + 1].files[folder];
        if (now <= before || (each && now - before != each))
            return 0;
        each = now - before;
    }
    return each % times == 0 ? each / times : 0;
}

/* What it counts, other than bytes; FAULT_NONE: nothing is left. */
static fault counted(const trial *t, const holdings *h, const repetition *r)
{
    static const fault_code codes[HELD_COUNTED] = {[HELD_DESCRIPTORS] = FAULT_LEAK_FILES,
                                                   [HELD_THREADS] = FAULT_LEAK_THREADS,
                                                   [HELD_TIMERS] = FAULT_LEAK_TIMERS,
                                                   [HELD_SEGMENTS] = FAULT_LEAK_SHARED};
    uint64_t files = 0;
    if (t->host->scratch.count > h->blocks)
        return (fault){.code = FAULT_LEAK_BLOCKS, .count = t->host->scratch.count - h->blocks};
    for (int i = 0; i < HELD_COUNTED; i++) {
        const uint64_t first = h->usage[0].held[i], last = h->usage[QUARTERS].held[i];
        if (last > first)
            return (fault){.code = codes[i], .count = last - first};
    }
    for (int folder = 0; folder < PROCESS_STATE_FOLDERS; folder++) {
        const uint64_t left = files_left(h, r, folder);
        files = left > files ? left : files;
    }
    return (fault){.code = files > 0 ? FAULT_LEAK_NAMES : FAULT_NONE,
                   .count = files * (uint64_t)h->times * QUARTERS};
}

/* The same of heap and address space, or of device memory: drivers take that in pieces of some MiB,
 * and one instance loses only a small part of one. Other processes may use the device too, but they
 * do not take more in every quarter for long. */
static fault grown(const trial *t, const holdings *h, const repetition *r)
{
    const uint64_t times = (uint64_t)h->times;
    const uint64_t on_heap = t->plugin->memory ? LEAST_ON_DEVICE : LEAST_ON_HOST;
    const struct {
        process_held bytes;
        fault_code code;
        uint64_t least;
        bool on_device;
    } kinds[] = {{HELD_DEVICE_BYTES, FAULT_LEAK_DEVICE, 1, true},
                 {HELD_HEAP_BYTES, FAULT_LEAK_HEAP, times * on_heap, false},
                 {HELD_MAPPED_BYTES, FAULT_LEAK_PAGES, times * r->left_pages, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const process_held bytes = kinds[i].bytes;
        if (kinds[i].on_device == r->on_device && grows(h, bytes, r, kinds[i].least))
            return (fault){.code = kinds[i].code,
                           .bytes = h->usage[QUARTERS].held[bytes] - h->usage[0].held[bytes]};
    }
    return (fault){.code = FAULT_NONE};
}

/* Repeats a failed test: runtimes grow their own pools now and then, but a plugin that leaks does
 * so every time. */
static void insist(trial *t, const repetition *r)
{
    enum { TIMES = 3 };
    for (int i = 0; i < TIMES; i++) {
        holdings h = {.blocks = 0};
        t->fault = (fault){.code = FAULT_NONE};
        if (!warm_up(t, r, &h.times))
            return;
        h.blocks = t->host->scratch.count;
        if (!repeat(t, r, &h))
            return;
        fault f = {.code = FAULT_NONE};
        if (!r->on_device)
            f = counted(t, &h, r);
        if (f.code == FAULT_NONE)
            f = grown(t, &h, r);
        if (f.code == FAULT_NONE)
            return;
        f.total = (uint64_t)h.times * QUARTERS;
        f.step = r->step;
        trial_fault(t, f);
    }
}

void behave_leaks(trial *t)
{
    static const repetition lives = {.once = live,
                                     .step = STEP_LIFE,
                                     .least = LEAST_TIMES,
                                     .most = LIVES,
                                     .quarter_ns = 4e9,
                                     .warm_up_ns = 4e9,
                                     .left_pages = 2048};
    /* Some leaks begin only after many runs of one instance: the second half of them counts. */
    static const repetition runs = {.once = run_once,
                                    .step = STEP_RUN,
                                    .from = QUARTERS / 2,
                                    .least = LEAST_TIMES,
                                    .most = RUNS,
                                    .quarter_ns = 2e8,
                                    .warm_up_ns = 5e8,
                                    .left_pages = 256};
    /* As many as fit into some tenths of a second. */
    static const repetition on_device = {.once = live_and_die,
                                         .step = STEP_LIFE,
                                         .on_device = true,
                                         .least = LIVES,
                                         .most = DEVICE_LIVES,
                                         .quarter_ns = 4e8,
                                         .warm_up_ns = INFINITY};
    static const repetition renewals = {.once = renew_buffers,
                                        .step = STEP_BUFFERS,
                                        .least = LEAST_TIMES,
                                        .most = LIVES,
                                        .quarter_ns = 1e8,
                                        .warm_up_ns = 1e8,
                                        .left_pages = 2048};
    static const repetition renewals_on_device = {.once = renew_buffers,
                                                  .step = STEP_BUFFERS,
                                                  .on_device = true,
                                                  .least = LIVES,
                                                  .most = RUNS,
                                                  .quarter_ns = 1e8,
                                                  .warm_up_ns = 1e8};
    const bool had_children = process_state_has_children(python_pid(t->host->python));
    const bool counts = t->plugin->memory && t->plugin->memory->available;
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    /* First, while no run can be at work that has returned early. */
    if (t->plugin->memory)
        insist(t, &renewals);
    if (trial_is_good(t) && counts)
        insist(t, &renewals_on_device);
    if (trial_is_good(t))
        insist(t, &lives);
    if (trial_is_good(t))
        insist(t, &runs);
    if (trial_is_good(t) && counts)
        insist(t, &on_device);
    if (trial_is_good(t) && !had_children &&
        process_state_has_children(python_pid(t->host->python)))
        trial_fault(t, (fault){.code = FAULT_LEFT_PROCESS});
}

/* Did `step` leave everything as it was before? */
static bool is_unchanged(trial *t, const process_state *before, worker_step step)
{
    process_state after;
    process_state_read(&after);
    const fault_part changed = process_state_changed(before, &after);
    if (changed == FAULT_NO_PART)
        return true;
    return trial_fault(t, (fault){.code = FAULT_CHANGED_PROCESS, .step = step, .part = changed});
}

/* ---- where create fails --------------------------------------------------------- */

/* Is the answer of an instance right that made do without an allocation? */
static bool makes_do(trial *t, void *self)
{
    const input_spec spec = job_input(t->job, t->job->run.pattern);
    void *const keep = t->self;
    t->self = self;
    trial_step(t, STEP_RUN);
    const bool good = trial_compare_silently(t, &spec, FAULT_AT_SECOND_INSTANCE);
    t->plugin->destroy(self);
    trial_alone(t);
    t->self = keep;
    return good;
}

/* Calls create, in which one allocation fails. *failed_p: did it make that many? false if it did
 * not report the failure. Of what the plugin asks the system for there may be less than it wanted;
 * it may also report another failure, which that one led to. */
static bool starve(trial *t, const repetition *r, bool *failed_p)
{
    void *self = NULL;
    t->host->scratch.fail = r->in_plugin ? 0 : r->failing;
    malloc_hook_fail(r->in_plugin ? r->failing : 0);
    const bool good = trial_create(t, &self), in_plugin = malloc_hook_failed();
    *failed_p = r->in_plugin ? in_plugin : t->host->scratch.fail == 0;
    t->host->scratch.fail = 0;
    if (good && *failed_p && !r->in_plugin)
        return trial_fault(t, (fault){.code = FAULT_CREATED_WITHOUT_MEMORY, .index = r->failing});
    if (good)
        return makes_do(t, self);
    if (!*failed_p)
        return false;
    const bool reported =
        t->fault.code == FAULT_NO_MEMORY || (r->in_plugin && t->fault.code == FAULT_CALL_FAILED);
    if (!reported || !*t->fault.text)
        return trial_fault(t, (fault){.code = FAULT_STARVED_SILENTLY, .index = r->failing});
    t->fault = (fault){.code = FAULT_NONE};
    return true;
}

static bool starve_again(trial *t, const repetition *r)
{
    bool failed;
    return starve(t, r, &failed);
}

/* Lets each allocation of create fail in turn, and looks what is left behind. A context may keep
 * something for later (compiled programs), but only once. */
static void starve_each(trial *t, const process_state *before, bool in_plugin)
{
    enum { MOST = 256, TIMES = 6 };
    repetition r = {.once = starve_again,
                    .step = STEP_FAILED_CREATE,
                    .least = LEAST_TIMES,
                    .most = TIMES,
                    .quarter_ns = 1e6,
                    .left_pages = 2048,
                    .in_plugin = in_plugin};
    repetition on_device = r;
    on_device.on_device = true;
    on_device.most = DEVICE_LIVES;
    on_device.quarter_ns = 1e8;
    bool failed = true;
    for (r.failing = 1; r.failing <= MOST; r.failing++) {
        if (!starve(t, &r, &failed) || !failed || !is_unchanged(t, before, STEP_FAILED_CREATE))
            return;
        insist(t, &r);
        on_device.failing = r.failing;
        if (trial_is_good(t) && t->plugin->memory && t->plugin->memory->available)
            insist(t, &on_device);
        if (!trial_is_good(t))
            return;
    }
}

/* The same where no other instance is alive: what all of them share must be there for the next. */
static void starve_alone(trial *t)
{
    enum { MOST = 256 };
    repetition r = {.failing = 1};
    bool failed = true;
    trial_destroy(t);
    while (failed && r.failing <= MOST && starve(t, &r, &failed))
        r.failing++;
}

void behave_no_memory(trial *t)
{
    process_state before;
    if (!trial_begin(t))
        return;
    process_state_read(&before);
    hooks_watch_file(t->exported);
    starve_each(t, &before, false);
    /* A peer's file has code of its library, in headers, which its author cannot mend. */
    if (trial_is_good(t) && malloc_hook_works() && t->plugin->role != SCAN_ROLE_PEER)
        starve_each(t, &before, true);
    if (trial_is_good(t))
        starve_alone(t);
}

/* ---- the state of the process -------------------------------------------------- */

/* What loading the file changed. That happened before the first state was read. */
static bool check_load(trial *t, const process_state *now)
{
    if (!process_state_float_is_default(now))
        return trial_fault(t, (fault){.code = FAULT_CHANGED_FLOAT_MODE});
    if (t->load_changed != FAULT_NO_PART)
        return trial_fault(
            t, (fault){.code = FAULT_CHANGED_PROCESS, .step = STEP_LOAD, .part = t->load_changed});
    return true;
}

/* More runs, as long as they are quick: some state changes only after a few. */
static bool run_again(trial *t)
{
    enum { SOME_RUNS = 50 };
    const double limit_ns = 2e8, start = clock_now_ns();
    trial_step(t, STEP_RUN);
    for (int i = 0; i < SOME_RUNS && clock_now_ns() - start < limit_ns; i++)
        if (!trial_run(t))
            return false;
    return true;
}

/* Where the memory of the buffers is placed. */
static void read_placement(const trial *t, memory_policy placed_p[2])
{
    const part *p = buffers_undivided(&t->buffers);
    memory_policy_read(p->host_in.data, &placed_p[0]);
    memory_policy_read(p->host_out.data, &placed_p[1]);
}

static bool watch_runs(trial *t, const process_state *before)
{
    memory_policy placed[2], after[2];
    read_placement(t, placed);
    if (!trial_check(t, t->job->run.pattern, 1) || !is_unchanged(t, before, STEP_RUN) ||
        !run_again(t) || !is_unchanged(t, before, STEP_RUN))
        return false;
    read_placement(t, after);
    if (memory_policy_same(&placed[0], &after[0]) && memory_policy_same(&placed[1], &after[1]))
        return true;
    return trial_fault(
        t, (fault){.code = FAULT_CHANGED_PROCESS, .step = STEP_RUN, .part = FAULT_MEMORY_POLICY});
}

/* Some changes are seen only where the worker is not like this already: that the process adopts
 * orphans, and that the thread that calls may use all units, to which a plugin sets it free that
 * has bound it for a while. */
static void watch_otherwise(trial *t)
{
    process_state before;
    cpu_set_t units, first;
    process_tree_adopt(false);
    sched_getaffinity(0, sizeof units, &units);
    if (topology_pick_unit(&units, 0, &first))
        sched_setaffinity(0, sizeof first, &first);
    process_state_read(&before);
    if (trial_begin(t) && is_unchanged(t, &before, STEP_CREATE) && trial_run(t))
        is_unchanged(t, &before, STEP_RUN);
    trial_end(t);
    if (trial_is_good(t))
        is_unchanged(t, &before, STEP_DESTROY);
    sched_setaffinity(0, sizeof units, &units);
    process_tree_adopt(true);
}

/* Ends the memory context, which has no buffer left. What needs one opens another. */
static void close_context(trial *t)
{
    if (!t->plugin->memory)
        return;
    trial_step(t, STEP_CLOSE);
    t->plugin->memory->close(t->context);
    t->context = NULL;
    trial_alone(t);
}

/* Waits for what other threads may still print, as long as there are any. */
static void await_threads(void)
{
    enum { TIMES = 30, MOMENT_NS = 10000000 };
    pid_t other;
    for (int i = 0; i < TIMES && process_state_others(&other, 1) > 0; i++)
        clock_sleep_ns(MOMENT_NS);
}

static void watch_calls(trial *t)
{
    process_state before;
    process_state_usage held, left;
    process_state_read(&before);
    process_state_measure(&held);
    if (!check_load(t, &before))
        return;
    if (!t->plugin->memory && t->plugin->probe) {
        scan_device device = {.struct_size = sizeof device};
        trial_step(t, STEP_PROBE);
        t->plugin->probe(&t->host->host, t->exported, 0, &device);
        if (!is_unchanged(t, &before, STEP_PROBE))
            return;
    }
    if (!trial_supports(t))
        return;
    trial_distract(t);
    if (!is_unchanged(t, &before, STEP_SUPPORTS))
        return;
    if (!trial_begin(t) || !is_unchanged(t, &before, STEP_CREATE))
        return;
    if (!watch_runs(t, &before))
        return;
    trial_end(t);
    if (!is_unchanged(t, &before, STEP_DESTROY))
        return;
    process_state_measure(&left);
    fault f = {.code = FAULT_CHANGED_PROCESS, .step = STEP_DESTROY};
    if (left.held[HELD_TIMERS] > held.held[HELD_TIMERS])
        f.part = FAULT_TIMERS;
    else if (left.held[HELD_LOCKED_KIB] > held.held[HELD_LOCKED_KIB] && !t->plugin->memory)
        f.part = FAULT_LOCKED_MEMORY;
    else if (name_hook_left() > 0)
        f.part = FAULT_SHARED_NAMES;
    if (f.part != FAULT_NO_PART)
        trial_fault(t, f);
    else if (!process_state_has_children(python_pid(t->host->python)))
        watch_otherwise(t);
}

void behave_process(trial *t)
{
    char text[WORKER_PRINTED_BYTES];
    int captured = process_state_capture();
    hooks_watch_file(t->exported);
    watch_calls(t);
    trial_end(t);
    if (trial_is_good(t))
        close_context(t);
    await_threads();
    process_state_printed(captured, text, sizeof text);
    if (!trial_is_good(t))
        return;
    text[strcspn(text, "\n")] = '\0';
    if (*text)
        trial_fault(t, fault_with_text(FAULT_PRINTED, text));
    else if (process_state_has_children(python_pid(t->host->python)))
        trial_fault(t, (fault){.code = FAULT_LEFT_PROCESS});
}
