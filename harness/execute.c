#include "execute.h"

#include "measure.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

void execute_step(execution *e, const char *name)
{
    message_begin(e->out, "step");
    message_put_text(e->out, "name", name);
    message_end(e->out);
}

/* What a status means for a row. */
static const char *row_status(scan_status status)
{
    if (status == SCAN_UNSUPPORTED)
        return "unsupported";
    if (status == SCAN_NO_MEMORY)
        return "skipped";
    return status == SCAN_UNAVAILABLE ? "unavailable" : "error";
}

bool execute_failed(execution *e, scan_status status, const char *call)
{
    if (status == SCAN_OK)
        return false;
    e->status = row_status(status);
    snprintf(e->reason, sizeof e->reason, "%s: %s", call,
             worker_host_reason(e->host, status_text(status)));
    return true;
}

void execute_flag(execution *e, const char *flag)
{
    size_t used = strlen(e->flags);
    snprintf(e->flags + used, sizeof e->flags - used, "%s%s", used ? ";" : "", flag);
}

static bool create(execution *e)
{
    const job *j = e->job;
    const scan_problem problem = {.struct_size = sizeof problem,
                                  .kind = j->kind,
                                  .op = j->op,
                                  .dtype = j->dtype,
                                  .n = j->n,
                                  .tunables = j->tunables,
                                  .tunable_count = j->tunable_count};
    *e->host->reason = '\0';
    if (e->plugin->supports) {
        execute_step(e, "supports");
        scan_status status = e->plugin->supports(&e->host->host, e->context, &problem);
        if (status != SCAN_OK) {
            e->status = row_status(status);
            snprintf(e->reason, sizeof e->reason, "%s",
                     worker_host_reason(e->host, status_text(status)));
            return false;
        }
    }
    execute_step(e, "create");
    double start = measure_now();
    scan_status status = e->plugin->create(&e->host->host, e->context, &problem, &e->self);
    e->create_ns = measure_now() - start;
    if (execute_failed(e, status, "create")) {
        e->self = NULL;
        return false;
    }
    execute_step(e, "allocate");
    status = buffers_create(&e->buffers, e->plugin, e->context, e->host,
                            j->n * dtype_bytes(j->dtype), j->misalign, j->in_place);
    e->buffers_live = status == SCAN_OK;
    return !execute_failed(e, status, "buffers");
}

/* One poisoned run, compared in full. false ends the job. */
static bool check_once(execution *e, const input_spec *spec)
{
    char why[HOST_REASON_BYTES / 2];
    if (execute_failed(e, buffers_poison(&e->buffers, spec), "poisoning the output"))
        return false;
    execute_step(e, "run");
    if (execute_failed(
            e, e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers)), "run"))
        return false;
    execute_step(e, "compare");
    scan_status status =
        buffers_compare(&e->buffers, spec, (scan_kind)e->job->kind,
                        e->plugin->role == SCAN_ROLE_CEILING, &e->last, why, sizeof why);
    if (execute_failed(e, status, "reading the output"))
        return false;
    if (!*why)
        return true;
    e->status = "wrong";
    snprintf(e->reason, sizeof e->reason, "%s (input: %s)", why, pattern_name(spec->pattern));
    return false;
}

/* Writes an input of `pattern` and checks `repeat` runs on it. */
static bool check(execution *e, uint32_t pattern, uint32_t repeat)
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
    if (!input_is_exact(&spec) && !check(e, INPUT_EXACT, 1))
        return false;
    if (!check(e, pattern, 1))
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
        message_put_text(e->out, "got", e->last.got);
        message_put_text(e->out, "expected", e->last.expected);
    }
    return message_end(e->out);
}

bool execute(execution *e, const job *j)
{
    e->job = j;
    e->self = NULL;
    e->buffers_live = false;
    e->last = (reference){0};
    e->status = "ok";
    *e->reason = *e->flags = '\0';

    bool good = create(e);
    if (good && j->mode == JOB_CHECK)
        check(e, j->pattern, j->repeat);
    else if (good)
        measure(e);
    if (e->self) {
        execute_step(e, "destroy");
        e->plugin->destroy(e->self);
    }
    if (e->buffers_live)
        buffers_destroy(&e->buffers);
    return report(e);
}
