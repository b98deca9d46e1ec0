#include "behaviour.h"

#include "heap_watch.h"
#include "manners.h"
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A second execution of the same plugin; what went wrong with it is noted in `e`. */
static execution another(const execution *e, const job *j)
{
    execution other = *e;
    other.job = j;
    other.self = NULL;
    other.created = other.buffers_live = false;
    other.buffers = (buffers){0};
    return other;
}

static bool note(execution *e, const execution *other, const char *when)
{
    if (strcmp(other->status, "ok") == 0)
        return true;
    e->last = other->last;
    execution_fault(e, other->status, "%s: %.600s", when, other->reason);
    return false;
}

/* Two instances that differ in all but the type, used in turn. */
static void instances(execution *e)
{
    job second = *e->job;
    second.n = e->job->n / 2 + 1;
    second.kind = (e->plugin->kinds & SCAN_BIT(!e->job->kind)) ? !e->job->kind : e->job->kind;
    second.seed++;
    execution other = another(e, &second);
    const uint32_t pattern = e->job->pattern;
    bool good = execution_begin(e) && execution_begin(&other) && execution_check(e, pattern, 1) &&
                execution_check(&other, pattern, 1) && execution_check(e, pattern, 1) &&
                execution_check(&other, pattern, 2);
    execution_end(e);
    if (good)
        execution_check(&other, pattern, 1);
    execution_end(&other);
    note(e, &other, "a second instance, beside a first");
}

/* One instance on two sets of buffers with different inputs. */
static void other_buffers(execution *e)
{
    job second = *e->job;
    second.seed++;
    execution other = another(e, &second);
    if (!execution_begin(e) || !execution_check(e, e->job->pattern, 1))
        return;
    scan_status status =
        buffers_create(&other.buffers, e->plugin, e->context, e->host, e->buffers.bytes, 0, false);
    if (execution_failed(e, status, "buffers"))
        return;
    other.self = e->self;
    bool good = execution_check(&other, e->job->pattern, 2);
    buffers_destroy(&other.buffers);
    if (note(e, &other, "on other buffers than those of the first run") && good)
        execution_check(e, e->job->pattern, 1);
}

/* The output as bytes on the host. */
static bool fetch(execution *e, void *bytes)
{
    if (!e->plugin->memory) {
        memcpy(bytes, scan_host_pointer(buffers_out(&e->buffers)), e->buffers.bytes);
        return true;
    }
    if (execution_failed(e, buffers_copy_out(&e->buffers), "copy out"))
        return false;
    memcpy(bytes, e->buffers.host_out.data, e->buffers.bytes);
    return true;
}

static void same_bits(execution *e, unsigned char *first, unsigned char *again)
{
    const size_t element = dtype_bytes(e->job->dtype);
    input_spec spec = job_input(e->job, e->job->pattern);
    if (!execution_check(e, e->job->pattern, 1) || !fetch(e, first))
        return;
    for (int i = 0; i < 6; i++) {
        if (execution_failed(e, buffers_poison(&e->buffers, &spec), "poisoning the output") ||
            !execution_run(e) || !fetch(e, again))
            return;
        size_t at = 0;
        while (at < e->buffers.bytes && first[at] == again[at])
            at++;
        if (at < e->buffers.bytes) {
            execution_fault(e, "wrong",
                            "the same input gave other bits in run %d, first at index %zu; declare "
                            "SCAN_FLAG_NONDETERMINISTIC if that is meant",
                            i + 2, at / element);
            return;
        }
    }
}

static void twice(execution *e)
{
    if (!execution_begin(e))
        return;
    unsigned char *bytes = malloc(2 * e->buffers.bytes + 1);
    if (bytes)
        same_bits(e, bytes, bytes + e->buffers.bytes);
    else
        execution_failed(e, SCAN_NO_MEMORY, "keeping two outputs");
    free(bytes);
}

/* Did `step` change what it must not? */
static bool behaved(execution *e, const manners *before, const char *step)
{
    manners after;
    manners_read(&after);
    const char *changed = manners_changed(before, &after);
    if (changed)
        execution_fault(e, "error", "%s changed %s", step, changed);
    return !changed;
}

static void watch_calls(execution *e)
{
    manners before;
    manners_read(&before);
    if (!manners_float_is_default(&before)) {
        execution_fault(e, "error",
                        "loading it changed the floating-point mode; link without -ffast-math");
        return;
    }
    if (e->load_changed) {
        execution_fault(e, "error", "loading it changed %s", e->load_changed);
        return;
    }
    if (!e->plugin->memory && e->plugin->probe) {
        scan_device device = {.struct_size = sizeof device};
        execution_step(e, "probe");
        e->plugin->probe(&e->host->host, 0, &device);
        if (!behaved(e, &before, "probe"))
            return;
    }
    if (!execution_begin(e) || !behaved(e, &before, "supports or create"))
        return;
    if (!execution_check(e, e->job->pattern, 1) || !behaved(e, &before, "run"))
        return;
    execution_end(e);
    behaved(e, &before, "destroy");
}

static void manners_of(execution *e)
{
    char text[MANNERS_TEXT_BYTES];
    int captured = manners_capture();
    watch_calls(e);
    manners_printed(captured, text, sizeof text);
    if (strcmp(e->status, "ok") != 0)
        return;
    if (*text)
        execution_fault(e, "error", "it printed to stdout: \"%.*s\"", (int)strcspn(text, "\n"),
                        text);
    else if (manners_has_children())
        execution_fault(e, "error", "it left a process behind");
}

/* create with its k-th allocation failing. *failed_p: it made as many. false where it
 * did not report that. */
static bool starve(execution *e, uint64_t k, bool *failed_p, uint64_t *kept_p)
{
    void *self = NULL;
    const uint64_t before = e->host->allocated;
    e->host->fail_allocation = k;
    bool good = execution_create(e, &self);
    *failed_p = e->host->fail_allocation == 0;
    e->host->fail_allocation = 0;
    if (!*failed_p) {
        if (good)
            e->plugin->destroy(self);
        return good;
    }
    *kept_p = e->host->allocated - before;
    if (good)
        execution_fault(e, "error",
                        "create said OK though allocation %" PRIu64 " of it got no memory", k);
    else if (strcmp(e->status, "skipped") != 0 || !*e->host->reason)
        execution_fault(e, "error",
                        "allocation %" PRIu64 " got no memory, which create must report as "
                        "SCAN_NO_MEMORY, in words",
                        k);
    else
        e->status = "ok";
    return strcmp(e->status, "ok") == 0;
}

/* Lets each allocation of create fail in turn. What a context keeps for later (compiled
 * programs) it keeps once, so only what is left every time is lost. */
static void starved(execution *e)
{
    enum { MOST = 256, TIMES = 3 };
    bool failed = true;
    for (uint64_t k = 1; k <= MOST && failed; k++) {
        uint64_t kept = 1;
        for (int i = 0; i < TIMES && kept > 0 && failed; i++)
            if (!starve(e, k, &failed, &kept))
                return;
        if (failed && kept > 0) {
            execution_fault(e, "error",
                            "create failed at allocation %" PRIu64 " and did not give back %" PRIu64
                            " of those before",
                            k, kept);
            return;
        }
    }
}

/* The second run and the third: the first may load what the system binds late. */
static void heap(execution *e)
{
    size_t largest = 0;
    if (!heap_watch_works()) {
        execution_fault(e, "unsupported", "this build of scanbench does not see what is allocated");
        return;
    }
    if (!execution_begin(e) || !execution_check(e, e->job->pattern, 1))
        return;
    execution_step(e, "run");
    heap_watch_begin();
    bool good = execution_run(e) && execution_run(e);
    size_t count = heap_watch_end(&largest);
    if (good && count > 0)
        execution_fault(e, "error",
                        "two runs allocated %zu times, up to %zu bytes at once; what run needs is "
                        "create's to allocate",
                        count, largest);
}

void behave(execution *e)
{
    static void (*const behaviours[BEHAVE_COUNT])(execution *) = {
        [BEHAVE_REBUILD] = behave_rebuild,
        [BEHAVE_INSTANCES] = instances,
        [BEHAVE_BUFFERS] = other_buffers,
        [BEHAVE_TWICE] = twice,
        [BEHAVE_MANNERS] = manners_of,
        [BEHAVE_STARVED] = starved,
        [BEHAVE_HEAP] = heap,
        [BEHAVE_WAITS] = behave_waits,
        [BEHAVE_RECORDS] = behave_records,
    };
    behaviours[e->job->behaviour](e);
}
