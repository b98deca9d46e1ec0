#include "worker/report.h"

static unsigned clock_mhz(const trial *e)
{
    if (!e->plugin->probe)
        return topology_clock_mhz(e->host->machine);
    scan_device device = {.struct_size = sizeof device};
    bool found = e->plugin->probe(&e->host->host, e->exported, e->device, &device) == SCAN_OK;
    return found ? device.clock_mhz : 0;
}

bool report_done(const trial *e)
{
    const bool ok = trial_is_good(e);
    message_begin(e->out, "done");
    fault_write(e->out, &e->fault);
    message_put_u64(e->out, "verified", ok && (e->compared || e->job->mode != JOB_MEASURE));
    message_put_text(e->out, "flags", e->flags);
    if (ok) {
        message_put_double(e->out, "error", e->last.max_rel_error);
        if (e->job->mode == JOB_MEASURE)
            message_put_u64(e->out, "clock_mhz", clock_mhz(e));
    }
    return message_end(e->out);
}
