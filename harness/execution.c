#include "execution.h"

#include "clock.h"
#include "names.h"

#include <stdarg.h>
#include <string.h>

void execution_step(execution *e, const char *name)
{
    message_begin(e->out, "step");
    message_put_text(e->out, "name", name);
    message_end(e->out);
}

void execution_fault(execution *e, const char *status, const char *format, ...)
{
    va_list arguments;
    e->status = status;
    va_start(arguments, format);
    vsnprintf(e->reason, sizeof e->reason, format, arguments);
    va_end(arguments);
}

/* Where memory is short, there is no answer to expect. run takes none; that of a
 * library may. Any other failure, behind supports, is the plugin's. */
bool execution_failed(execution *e, scan_status status, const char *call)
{
    bool may_lack = strcmp(call, "run") != 0 || e->plugin->role == SCAN_ROLE_PEER;
    if (status == SCAN_OK)
        return false;
    execution_fault(e, status == SCAN_NO_MEMORY && may_lack ? "skipped" : "error", "%s: %s", call,
                    worker_host_reason(e->host, status));
    return true;
}

void execution_flag(execution *e, const char *flag)
{
    size_t used = strlen(e->flags);
    snprintf(e->flags + used, sizeof e->flags - used, "%s%s", used ? ";" : "", flag);
}

static bool supported(execution *e, const scan_problem *problem)
{
    *e->host->reason = '\0';
    if (!e->plugin->supports)
        return true;
    execution_step(e, "supports");
    scan_status status = e->plugin->supports(&e->host->host, e->context, problem);
    execution_alone(e);
    if (status == SCAN_OK)
        return true;
    if (status == SCAN_UNSUPPORTED && !*e->host->reason)
        execution_fault(e, "error",
                        "supports refused the problem and did not say why (host->fail)");
    else if (status == SCAN_UNSUPPORTED)
        execution_fault(e, "unsupported", "%s", e->host->reason);
    else
        execution_failed(e, status, "supports");
    return false;
}

bool execution_create(execution *e, void **self_p)
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
    execution_step(e, "create");
    void *self = NULL;
    double start = clock_now_ns();
    scan_status status = e->plugin->create(&e->host->host, e->context, &problem, &self);
    e->create_ns = clock_now_ns() - start;
    execution_alone(e);
    if (execution_failed(e, status, "create"))
        return false;
    *self_p = self;
    return true;
}

bool execution_begin(execution *e)
{
    const job *j = e->job;
    e->created = execution_create(e, &e->self);
    if (!e->created)
        return false;
    execution_step(e, "allocate");
    scan_status status = buffers_create(&e->buffers, e->plugin, e->context, e->host,
                                        j->n * dtype_bytes(j->dtype), j->misalign, j->in_place);
    e->buffers_live = status == SCAN_OK;
    return !execution_failed(e, status, "buffers");
}

void execution_end(execution *e)
{
    if (e->created) {
        execution_step(e, "destroy");
        e->plugin->destroy(e->self);
        execution_alone(e);
    }
    if (e->buffers_live)
        buffers_destroy(&e->buffers);
    e->created = e->buffers_live = false;
}

bool execution_trespassed(execution *e)
{
    if (e->host->allocated_in_run)
        execution_fault(e, "error", "run called host->allocate, which belongs into create");
    else if (!worker_host_intact(e->host))
        execution_fault(e, "wrong", "%s", e->host->trampled);
    else
        return false;
    return true;
}

bool execution_run(execution *e)
{
    e->host->running = true;
    scan_status status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    e->host->running = false;
    execution_alone(e);
    return !execution_failed(e, status, "run");
}

bool execution_compare(execution *e, const input_spec *spec)
{
    char why[HOST_REASON_BYTES / 2];
    if (execution_failed(e, buffers_poison(&e->buffers, spec), "poisoning the output"))
        return false;
    execution_step(e, "run");
    if (!execution_run(e))
        return false;
    execution_step(e, "compare");
    scan_status status =
        buffers_compare(&e->buffers, spec, (scan_kind)e->job->kind,
                        e->plugin->role == SCAN_ROLE_CEILING, &e->last, why, sizeof why);
    if (execution_failed(e, status, "reading the output"))
        return false;
    if (!*why)
        return !execution_trespassed(e);
    execution_fault(e, "wrong", "%s (input: %s)", why, pattern_name(spec->pattern));
    return false;
}

bool execution_check(execution *e, uint32_t pattern, uint32_t repeat)
{
    input_spec spec = job_input(e->job, pattern);
    execution_step(e, "input");
    if (execution_failed(e, buffers_write_input(&e->buffers, &spec), "writing the input"))
        return false;
    for (uint32_t i = 0; i < repeat; i++)
        if (!execution_compare(e, &spec))
            return false;
    return true;
}
