/*
 * behaviour_leaks.c - tests that instances leave nothing behind, on the host and on a device
 */
#include "system/clock.h"
#include "worker/behaviour.h"
#include "worker/process_state.h"

#include <time.h>

enum { WARM = 20, QUARTER = 25, QUARTERS = 4 };

/* Bytes of heap that one create and destroy may leave. Drivers now and then leak some bytes; an
 * object that a plugin forgets is larger. */
enum { LEAST_ON_HOST = 16, LEAST_ON_DEVICE = 128 };

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

/* Did the bytes grow in every quarter, by at least `least` per life? */
static bool grows(const uint64_t bytes[QUARTERS + 1], uint64_t least)
{
    for (int i = 0; i < QUARTERS; i++)
        if (bytes[i + 1] <= bytes[i])
            return false;
    return bytes[QUARTERS] - bytes[0] >= least * QUARTER * QUARTERS;
}

static void judge(trial *e, const process_state_usage usage[QUARTERS + 1], uint64_t blocks)
{
    uint64_t heap[QUARTERS + 1], mapped[QUARTERS + 1];
    const process_state_usage *first = usage, *last = &usage[QUARTERS];
    fault f = {.total = (uint64_t)QUARTER * QUARTERS};
    for (int i = 0; i <= QUARTERS; i++) {
        heap[i] = usage[i].heap_bytes;
        mapped[i] = usage[i].mapped_bytes;
    }
    if (e->host->scratch.count > blocks) {
        f.code = FAULT_LEAK_BLOCKS;
        f.count = e->host->scratch.count - blocks;
    } else if (last->descriptors > first->descriptors) {
        f.code = FAULT_LEAK_FILES;
        f.count = last->descriptors - first->descriptors;
    } else if (last->threads > first->threads) {
        f.code = FAULT_LEAK_THREADS;
        f.count = last->threads - first->threads;
    } else if (grows(heap, e->plugin->memory ? LEAST_ON_DEVICE : LEAST_ON_HOST)) {
        f.code = FAULT_LEAK_HEAP;
        f.bytes = heap[QUARTERS] - heap[0];
    } else if (grows(mapped, 2048)) {
        f.code = FAULT_LEAK_PAGES;
        f.bytes = mapped[QUARTERS] - mapped[0];
    }
    if (f.code != FAULT_NONE)
        trial_fault(e, f);
}

/* Lets a hundred instances live, and measures what the process holds after each quarter. */
static bool watch_lives(trial *e, process_state_usage usage[QUARTERS + 1], uint64_t *blocks_p)
{
    double told = clock_now_ns();
    for (int i = -WARM; i <= QUARTERS * QUARTER; i++) {
        if (i == 0)
            *blocks_p = e->host->scratch.count;
        if (i >= 0 && i % QUARTER == 0)
            settle(&usage[i / QUARTER], i ? usage : NULL);
        if (i < QUARTERS * QUARTER && !live(e))
            return false;
        if (clock_now_ns() - told > 2e8) { /* tell the supervisor that we are alive */
            trial_step(e, STEP_CREATE);
            told = clock_now_ns();
        }
    }
    return true;
}

static bool watch_host(trial *e)
{
    process_state_usage usage[QUARTERS + 1];
    uint64_t blocks = 0;
    if (!watch_lives(e, usage, &blocks))
        return false;
    judge(e, usage, blocks);
    return true;
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
        if (clock_now_ns() - *told_p > 2e8) {
            trial_step(e, STEP_CREATE);
            *told_p = clock_now_ns();
        }
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
    int count = lives > MOST ? MOST : lives < QUARTER ? QUARTER : (int)lives;
    for (int i = 0; i <= QUARTERS; i++) {
        uint64_t bytes = 0;
        if (i > 0 && !live_and_die(e, count, &told))
            return false;
        if (trial_failed(e, e->plugin->memory->available(e->context, &bytes), STEP_AVAILABLE))
            return false;
        used[i] = all - bytes;
    }
    if (grows(used, 1))
        trial_fault(e, (fault){.code = FAULT_LEAK_DEVICE,
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
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    insist(e, watch_host);
    if (trial_is_good(e) && e->plugin->memory && e->plugin->memory->available)
        insist(e, watch_device);
}
