#include "worker/run_job.h"

#include "worker/behaviour.h"
#include "worker/measure.h"

#include <string.h>

/* Checks the same buffers with another input, so that an answer kept from earlier runs is wrong. */
static bool check_anew(trial *e, uint32_t pattern)
{
    const job *measured = e->job;
    const double error = e->last.max_rel_error;
    job other = *measured;
    other.seed++;
    e->job = &other;
    bool good = trial_check(e, pattern, 1);
    e->job = measured;
    e->last.max_rel_error = error;
    return good;
}

static bool measure(trial *e)
{
    const job *j = e->job;
    uint32_t pattern = input_default(j->op);
    input_spec spec = job_input(j, pattern);
    /* Random float sums are compared only within a bound, so the algorithm is first checked bit for
     * bit. */
    if (!input_is_exact(&spec) && !trial_check(e, INPUT_EXACT, 1))
        return false;
    if (!trial_check(e, pattern, 1))
        return false;
    /* Touch its pages, so that page faults are not part of the timed copies. */
    if (e->plugin->memory)
        poison_fill(e->buffers.host_out.data, e->buffers.bytes);
    if (!topology_memory_is_local(e->host->machine, e->buffers.host_in.data, e->buffers.bytes))
        trial_flag(e, "remote_memory");
    return measure_samples(e) && trial_compare(e, &spec) && check_anew(e, pattern);
}

static unsigned clock_mhz(const trial *e)
{
    if (!e->plugin->probe)
        return topology_clock_mhz(e->host->machine);
    scan_device device = {.struct_size = sizeof device};
    bool found = e->plugin->probe(&e->host->host, e->exported, e->device, &device) == SCAN_OK;
    return found ? device.clock_mhz : 0;
}

static bool report(trial *e)
{
    const bool ok = trial_is_good(e);
    message_begin(e->out, "done");
    fault_write(e->out, &e->fault);
    message_put_u64(e->out, "verified", ok);
    message_put_text(e->out, "flags", e->flags);
    if (ok) {
        message_put_double(e->out, "error", e->last.max_rel_error);
        if (e->job->mode == JOB_MEASURE)
            message_put_u64(e->out, "clock_mhz", clock_mhz(e));
    }
    return message_end(e->out);
}

bool run_job(trial *e, const job *j)
{
    e->job = j;
    e->created = e->buffers_live = false;
    e->last = (reference){0};
    e->fault = (fault){.code = FAULT_NONE};
    *e->flags = '\0';
    e->host->scratch.damage = (fault){.code = FAULT_NONE};
    e->host->allocated_in_run = false;
    e->host->scratch.poison = j->mode != JOB_MEASURE;

    if (j->mode == JOB_BEHAVE) {
        behave(e);
    } else if (trial_begin(e)) {
        if (j->mode == JOB_CHECK)
            trial_check(e, j->pattern, j->repeat);
        else
            measure(e);
    }
    trial_end(e);
    if (trial_is_good(e))
        trial_trespassed(e);
    return report(e);
}
