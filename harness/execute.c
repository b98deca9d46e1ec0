#include "execute.h"

#include "behaviour.h"
#include "measure.h"
#include "names.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void execute_step(execution *e, const char *name)
{
    message_begin(e->out, "step");
    message_put_text(e->out, "name", name);
    message_end(e->out);
}

void execute_fault(execution *e, const char *status, const char *format, ...)
{
    va_list arguments;
    e->status = status;
    va_start(arguments, format);
    vsnprintf(e->reason, sizeof e->reason, format, arguments);
    va_end(arguments);
}

/* Where memory is short, there is no answer to expect. run takes none; that of a
 * library may. Any other failure, behind supports, is the plugin's. */
bool execute_failed(execution *e, scan_status status, const char *call)
{
    bool may_lack = strcmp(call, "run") != 0 || e->plugin->role == SCAN_ROLE_PEER;
    if (status == SCAN_OK)
        return false;
    execute_fault(e, status == SCAN_NO_MEMORY && may_lack ? "skipped" : "error", "%s: %s", call,
                  worker_host_reason(e->host, status_text(status)));
    return true;
}

void execute_flag(execution *e, const char *flag)
{
    size_t used = strlen(e->flags);
    snprintf(e->flags + used, sizeof e->flags - used, "%s%s", used ? ";" : "", flag);
}

static bool supported(execution *e, const scan_problem *problem)
{
    *e->host->reason = '\0';
    if (!e->plugin->supports)
        return true;
    execute_step(e, "supports");
    scan_status status = e->plugin->supports(&e->host->host, e->context, problem);
    execute_alone(e);
    if (status == SCAN_OK)
        return true;
    if (status == SCAN_UNSUPPORTED && !*e->host->reason)
        execute_fault(e, "error", "supports refused the problem and did not say why (host->fail)");
    else if (status == SCAN_UNSUPPORTED)
        execute_fault(e, "unsupported", "%s", e->host->reason);
    else
        execute_failed(e, status, "supports");
    return false;
}

bool execute_create(execution *e, void **self_p)
{
    const job *j = e->job;
    const scan_problem problem = {.struct_size = sizeof problem,
                                  .kind = j->kind,
                                  .op = j->op,
                                  .dtype = j->dtype,
                                  .n = j->n,
                                  .tunables = j->tunables,
                                  .tunable_count = j->tunable_count};
    if (!supported(e, &problem))
        return false;
    execute_step(e, "create");
    void *self = NULL;
    double start = measure_now();
    scan_status status = e->plugin->create(&e->host->host, e->context, &problem, &self);
    e->create_ns = measure_now() - start;
    execute_alone(e);
    if (execute_failed(e, status, "create"))
        return false;
    *self_p = self;
    return true;
}

bool execute_begin(execution *e)
{
    const job *j = e->job;
    e->created = execute_create(e, &e->self);
    if (!e->created)
        return false;
    execute_step(e, "allocate");
    scan_status status = buffers_create(&e->buffers, e->plugin, e->context, e->host,
                                        j->n * dtype_bytes(j->dtype), j->misalign, j->in_place);
    e->buffers_live = status == SCAN_OK;
    return !execute_failed(e, status, "buffers");
}

void execute_end(execution *e)
{
    if (e->created) {
        execute_step(e, "destroy");
        e->plugin->destroy(e->self);
        execute_alone(e);
    }
    if (e->buffers_live)
        buffers_destroy(&e->buffers);
    e->created = e->buffers_live = false;
}

/* What a plugin does besides its answer and must not. */
static bool trespassed(execution *e)
{
    if (e->host->allocated_in_run)
        execute_fault(e, "error", "run called host->allocate, which belongs into create");
    else if (!worker_host_intact(e->host))
        execute_fault(e, "wrong", "%s", e->host->trampled);
    else
        return false;
    return true;
}

bool execute_run(execution *e)
{
    e->host->running = true;
    scan_status status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    e->host->running = false;
    execute_alone(e);
    return !execute_failed(e, status, "run");
}

/* One poisoned run, compared in full. false ends the job. */
static bool check_once(execution *e, const input_spec *spec)
{
    char why[HOST_REASON_BYTES / 2];
    if (execute_failed(e, buffers_poison(&e->buffers, spec), "poisoning the output"))
        return false;
    execute_step(e, "run");
    if (!execute_run(e))
        return false;
    execute_step(e, "compare");
    scan_status status =
        buffers_compare(&e->buffers, spec, (scan_kind)e->job->kind,
                        e->plugin->role == SCAN_ROLE_CEILING, &e->last, why, sizeof why);
    if (execute_failed(e, status, "reading the output"))
        return false;
    if (!*why)
        return !trespassed(e);
    execute_fault(e, "wrong", "%s (input: %s)", why, pattern_name(spec->pattern));
    return false;
}

bool execute_check(execution *e, uint32_t pattern, uint32_t repeat)
{
    input_spec spec = job_input(e->job, pattern);
    execute_step(e, "input");
    if (execute_failed(e, buffers_write_input(&e->buffers, &spec), "writing the input"))
        return false;
    for (uint32_t i = 0; i < repeat; i++)
        if (!check_once(e, &spec))
            return false;
    return true;
}

static bool measure(execution *e)
{
    const job *j = e->job;
    uint32_t pattern = input_default(j->op, j->dtype);
    input_spec spec = job_input(j, pattern);
    /* Random float sums are compared within a bound; that the algorithm is right
     * is proved first, bit for bit. */
    if (!input_is_exact(&spec) && !execute_check(e, INPUT_EXACT, 1))
        return false;
    if (!execute_check(e, pattern, 1))
        return false;
    /* Its pages must be there before copies into it are timed. */
    if (e->plugin->memory)
        poison_fill(e->buffers.host_out.data, e->buffers.bytes);
    if (!topology_memory_is_local(e->host->machine, e->buffers.host_in.data, e->buffers.bytes))
        execute_flag(e, "remote_memory");
    return measure_samples(e) && check_once(e, &spec);
}

static unsigned clock_mhz(const execution *e)
{
    if (!e->plugin->probe)
        return topology_clock_mhz(e->host->machine);
    scan_device device = {.struct_size = sizeof device};
    bool found = e->plugin->probe(&e->host->host, e->device, &device) == SCAN_OK;
    return found ? device.clock_mhz : 0;
}

static bool report(execution *e)
{
    bool ok = strcmp(e->status, "ok") == 0;
    message_begin(e->out, "done");
    message_put_text(e->out, "status", e->status);
    message_put_text(e->out, "reason", e->reason);
    message_put_u64(e->out, "verified", ok);
    message_put_text(e->out, "flags", e->flags);
    if (ok) {
        message_put_double(e->out, "error", e->last.max_rel_error);
        if (e->job->mode == JOB_MEASURE)
            message_put_u64(e->out, "clock_mhz", clock_mhz(e));
    }
    if (e->last.wrong) {
        message_put_u64(e->out, "first_bad", e->last.first_bad);
        message_put_u64(e->out, "unwritten", e->last.unwritten);
        message_put_text(e->out, "got", e->last.got);
        message_put_text(e->out, "expected", e->last.expected);
    }
    return message_end(e->out);
}

bool execute(execution *e, const job *j)
{
    e->job = j;
    e->created = e->buffers_live = false;
    e->last = (reference){0};
    e->status = "ok";
    *e->reason = *e->flags = '\0';
    *e->host->trampled = '\0';
    e->host->allocated_in_run = false;

    if (j->mode == JOB_BEHAVE) {
        behave(e);
    } else if (execute_begin(e)) {
        if (j->mode == JOB_CHECK)
            execute_check(e, j->pattern, j->repeat);
        else
            measure(e);
    }
    execute_end(e);
    if (strcmp(e->status, "ok") == 0)
        trespassed(e);
    return report(e);
}
