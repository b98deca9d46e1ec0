#include "worker/run_job.h"

#include "worker/behaviour.h"
#include "worker/done_message.h"
#include "worker/profile.h"
#include "worker/trial_check.h"

bool run_job(trial *e, const job *j)
{
    e->job = j;
    e->created = e->buffers_live = false;
    e->last = (reference){0};
    e->fault = (fault){.code = FAULT_NONE};
    e->runs = 0;
    *e->flags = '\0';
    e->host->scratch.damage = (fault){.code = FAULT_NONE};
    e->host->allocated_in_run = false;
    e->host->scratch.poison = j->mode != JOB_PROFILE;

    if (j->mode == JOB_BEHAVE) {
        behave(e);
    } else if (j->mode == JOB_PROFILE) {
        profile_trial(e);
    } else if (trial_begin(e)) {
        trial_check(e, j->pattern, j->repeat);
    }
    trial_end(e);
    if (trial_is_good(e))
        trial_trespassed(e);
    return done_message_send(e);
}
