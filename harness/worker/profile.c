#include "worker/profile.h"

#include "system/nvtx.h"
#include "worker/measure.h"
#include "worker/trial_check.h"

/* What a run in place has overwritten. */
static bool restore(trial *e)
{
    return !(e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY) ||
           !trial_failed(e, buffers_restore(&e->buffers), STEP_RESTORE);
}

static bool run_in_range(trial *e)
{
    nvtx_push(e->job->label);
    const bool good = trial_run(e);
    nvtx_pop();
    return good;
}

bool profile_trial(trial *e)
{
    if (!measure_begin(e))
        return false;
    trial_step(e, STEP_RUN);
    return restore(e) && trial_run(e) && restore(e) && displace(e) && run_in_range(e) &&
           measure_close(e);
}
