#include "worker/trial.h"

#include "problem/names.h"
#include "system/clock.h"

#include <stdarg.h>
#include <string.h>

void trial_step(trial *e, const char *name)
{
    message_begin(e->out, "step");
    message_put_text(e->out, "name", name);
    message_end(e->out);
}

void trial_fault(trial *e, row_status status, const char *format, ...)
{
    va_list arguments;
    e->status = status;
    va_start(arguments, format);
    vsnprintf(e->reason, sizeof e->reason, format, arguments);
    va_end(arguments);
}

/* Where memory is short, there is no answer to expect. run takes none; that of a
 * library may. Any other failure, behind supports, is the plugin's. */
bool trial_failed(trial *e, scan_status status, const char *call)
{
    bool may_lack = strcmp(call, "run") != 0 || e->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN;
    if (status == SCAN_OK)
        return false;
    trial_fault(e, status == SCAN_NO_MEMORY && may_lack ? ROW_SKIPPED : ROW_ERROR, "%s: %s", call,
                worker_host_reason(e->host, status));
    return true;
}

void trial_flag(trial *e, const char *flag)
{
    size_t used = strlen(e->flags);
    snprintf(e->flags + used, sizeof e->flags - used, "%s%s", used ? ";" : "", flag);
}

static bool supported(trial *e, const scan_problem *problem)
{
    *e->host->reason = '\0';
    if (!e->plugin->supports)
        return true;
    trial_step(e, "supports");
    scan_status status = e->plugin->supports(&e->host->host, e->exported, e->context, problem);
    trial_alone(e);
    if (status == SCAN_OK)
        return true;
    if (status == SCAN_UNSUPPORTED && !*e->host->reason)
        trial_fault(e, ROW_ERROR, "supports refused the problem and did not say why (host->fail)");
    else if (status == SCAN_UNSUPPORTED)
        trial_fault(e, ROW_UNSUPPORTED, "%s", e->host->reason);
    else
        trial_failed(e, status, "supports");
    return false;
}

scan_problem trial_problem(const job *j)
{
    return (scan_problem){.struct_size = sizeof(scan_problem),
                          .kind = j->kind,
                          .op = j->op,
                          .dtype = j->dtype,
                          .n = j->n,
                          .tunables = j->tunables,
                          .tunable_count = j->tunable_count,
                          .element_bytes = (uint32_t)dtype_bytes(j->dtype)};
}

bool trial_create(trial *e, void **self_p)
{
    const scan_problem problem = trial_problem(e->job);
    if (!supported(e, &problem))
        return false;
    trial_step(e, "create");
    void *self = NULL;
    double start = clock_now_ns();
    scan_status status =
        e->plugin->create(&e->host->host, e->exported, e->context, &problem, &self);
    e->create_ns = clock_now_ns() - start;
    trial_alone(e);
    if (trial_failed(e, status, "create"))
        return false;
    *self_p = self;
    return true;
}

bool trial_begin(trial *e)
{
    const job *j = e->job;
    e->created = trial_create(e, &e->self);
    if (!e->created)
        return false;
    trial_step(e, "allocate");
    const size_t misalign[] = {j->misalign, j->misalign_out};
    scan_status status =
        buffers_create(&e->buffers, e->plugin, e->context, e->host, j->n * dtype_bytes(j->dtype),
                       misalign, j->in_place || e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY);
    e->buffers_live = status == SCAN_OK;
    return !trial_failed(e, status, "buffers");
}

void trial_end(trial *e)
{
    if (e->created) {
        trial_step(e, "destroy");
        e->plugin->destroy(e->self);
        trial_alone(e);
    }
    if (e->buffers_live)
        buffers_destroy(&e->buffers);
    e->created = e->buffers_live = false;
}

bool trial_trespassed(trial *e)
{
    if (e->host->allocated_in_run)
        trial_fault(e, ROW_ERROR, "run called host->allocate, which belongs into create");
    else if (!worker_host_intact(e->host))
        trial_fault(e, ROW_WRONG, "%s", e->host->trampled);
    else
        return false;
    return true;
}

bool trial_run(trial *e)
{
    e->host->running = true;
    scan_status status = e->plugin->run(e->self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    e->host->running = false;
    trial_alone(e);
    return !trial_failed(e, status, "run");
}

bool trial_compare(trial *e, const input_spec *spec)
{
    char why[HOST_REASON_BYTES / 2];
    if (trial_failed(e, buffers_poison(&e->buffers, spec), "poisoning the output"))
        return false;
    trial_step(e, "run");
    if (!trial_run(e))
        return false;
    trial_step(e, "compare");
    scan_status status =
        buffers_compare(&e->buffers, spec, (scan_kind)e->job->kind,
                        e->plugin->role == SCAN_ROLE_CEILING, &e->last, why, sizeof why);
    if (trial_failed(e, status, "reading the output"))
        return false;
    if (!*why)
        return !trial_trespassed(e);
    trial_fault(e, ROW_WRONG, "%s (input: %s)", why, pattern_name(spec->pattern));
    return false;
}

bool trial_check(trial *e, uint32_t pattern, uint32_t repeat)
{
    input_spec spec = job_input(e->job, pattern);
    trial_step(e, "input");
    if (trial_failed(e, buffers_write_input(&e->buffers, &spec), "writing the input"))
        return false;
    for (uint32_t i = 0; i < repeat; i++)
        if (!trial_compare(e, &spec))
            return false;
    return true;
}
