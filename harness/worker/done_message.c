#include "worker/done_message.h"

bool done_message_send(const trial *e)
{
    const bool ok = trial_is_good(e);
    trial_message(e, "done");
    fault_write(e->out, &e->fault);
    message_put_u64(e->out, "verified", ok && (e->compared || e->job->mode != JOB_MEASURE));
    message_put_text(e->out, "flags", e->flags);
    if (e->runs > 0)
        message_put_u64(e->out, "runs", e->runs);
    if (ok)
        message_put_double(e->out, "error", e->last.max_rel_error);
    return message_end(e->out);
}
