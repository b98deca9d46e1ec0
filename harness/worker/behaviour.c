#include "worker/behaviour.h"

#include "worker/malloc_hook.h"

#include <stdlib.h>
#include <string.h>

/* Runs on an input whose memory is read-only. */
void behave_input(trial *e)
{
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    const guarded_buffer *input = &buffers_undivided(&e->buffers)->host_in;
    trial_step(e, STEP_READ_ONLY_RUN);
    if (!guarded_protect(input, true)) {
        trial_fault(e, (fault){.code = FAULT_CANNOT_PROTECT});
        return;
    }
    trial_run(e);
    guarded_protect(input, false);
}

/* Copies the output to the host, as bytes. */
static bool fetch(trial *e, void *bytes)
{
    if (!e->plugin->memory) {
        memcpy(bytes, scan_host_pointer(buffers_out(&e->buffers)), e->buffers.bytes);
        return true;
    }
    if (trial_failed(e, buffers_copy_out(&e->buffers), STEP_COPY_OUT))
        return false;
    memcpy(bytes, buffers_undivided(&e->buffers)->host_out.data, e->buffers.bytes);
    return true;
}

static void compare_bits(trial *e, unsigned char *first, unsigned char *again)
{
    const size_t element = dtype_bytes(e->job->dtype);
    input_spec spec = job_input(e->job, e->job->pattern);
    if (!trial_check(e, e->job->pattern, 1) || !fetch(e, first))
        return;
    for (int i = 0; i < 6; i++) {
        if (trial_failed(e, buffers_poison(&e->buffers, &spec), STEP_POISON) || !trial_run(e) ||
            !fetch(e, again))
            return;
        size_t at = 0;
        while (at < e->buffers.bytes && first[at] == again[at])
            at++;
        if (at < e->buffers.bytes) {
            trial_fault(e, (fault){.code = FAULT_DIFFERENT_BITS,
                                   .count = (uint64_t)i + 2,
                                   .index = at / element});
            return;
        }
    }
}

void behave_same_bits(trial *e)
{
    if (!trial_begin(e))
        return;
    unsigned char *bytes = malloc(2 * e->buffers.bytes + 1);
    if (bytes)
        compare_bits(e, bytes, bytes + e->buffers.bytes);
    else
        trial_failed(e, SCAN_NO_MEMORY, STEP_STORE);
    free(bytes);
}

/* Calls create with its k-th allocation failing. *failed_p: did create make that many allocations?
 * *kept_p: how many blocks it did not release. false if create did not report the failure. */
static bool starve(trial *e, uint64_t k, bool *failed_p, uint64_t *kept_p)
{
    void *self = NULL;
    const uint64_t before = e->host->scratch.count;
    e->host->scratch.fail = k;
    bool good = trial_create(e, &self);
    *failed_p = e->host->scratch.fail == 0;
    e->host->scratch.fail = 0;
    if (!*failed_p) {
        if (good)
            e->plugin->destroy(self);
        return good;
    }
    *kept_p = e->host->scratch.count - before;
    if (good)
        return trial_fault(e, (fault){.code = FAULT_CREATED_WITHOUT_MEMORY, .index = k});
    if (e->fault.code != FAULT_NO_MEMORY || !*e->fault.text)
        return trial_fault(e, (fault){.code = FAULT_STARVED_SILENTLY, .index = k});
    e->fault = (fault){.code = FAULT_NONE};
    return true;
}

/* Lets each allocation of create fail in turn. A context may keep something for later (compiled
 * programs), but only once: only blocks that are left every time are leaks. */
void behave_no_memory(trial *e)
{
    enum { MOST = 256, TIMES = 3 };
    bool failed = true;
    for (uint64_t k = 1; k <= MOST && failed; k++) {
        uint64_t kept = 1;
        for (int i = 0; i < TIMES && kept > 0 && failed; i++)
            if (!starve(e, k, &failed, &kept))
                return;
        if (failed && kept > 0) {
            trial_fault(e, (fault){.code = FAULT_KEPT_ON_FAILURE, .index = k, .count = kept});
            return;
        }
    }
}

/* Watches the second and the third run: in the first, the dynamic linker may allocate. */
void behave_heap(trial *e)
{
    size_t largest = 0;
    if (!malloc_hook_works()) {
        trial_fault(e, (fault){.code = FAULT_CANNOT_COUNT});
        return;
    }
    if (!trial_begin(e) || !trial_check(e, e->job->pattern, 1))
        return;
    trial_step(e, STEP_RUN);
    malloc_hook_begin();
    bool good = trial_run(e);
    good = good && trial_run(e);
    size_t count = malloc_hook_end(&largest);
    if (good && count > 0)
        trial_fault(e, (fault){.code = FAULT_MALLOC_IN_RUN, .count = count, .bytes = largest});
}

void behave(trial *e)
{
#define BEHAVE_ENTRY(name, word) [BEHAVE_##name] = behave_##word,
    static void (*const behaviours[BEHAVE_COUNT])(trial *) = {JOB_BEHAVIOUR_MAP(BEHAVE_ENTRY)};
#undef BEHAVE_ENTRY
    behaviours[e->job->behaviour](e);
}
