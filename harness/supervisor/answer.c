#include "supervisor/answer.h"

#include <string.h>

bool answer_read_device(const protocol_message *m, session_device *device_p, fault *fault_p)
{
    uint64_t flags = 0, max_block = 0, clock = 0;
    session_device device = {0};
    if (!fault_read(m, fault_p))
        return false;
    message_u64(m, "flags", &flags);
    message_u64(m, "max_block", &max_block);
    message_u64(m, "clock_mhz", &clock);
    message_u64(m, "memory_bytes", &device.memory_bytes);
    message_line(m, "name", device.name, sizeof device.name);
    message_line(m, "driver", device.driver, sizeof device.driver);
    device.flags = (uint32_t)flags;
    device.max_block = (uint32_t)max_block;
    device.clock_mhz = (uint32_t)clock;
    if (fault_p->code == FAULT_NONE)
        *device_p = device;
    return true;
}

void answer_read_bound(const protocol_message *m, session *s)
{
    uint64_t places = 1;
    message_u64(m, "places", &places);
    s->places = (unsigned)places;
    message_line(m, "binding", s->binding, sizeof s->binding);
}

/* false where it is malformed. */
static bool read_done(const protocol_message *m, job_result *r)
{
    uint64_t verified = 0;
    if (!fault_read(m, &r->fault))
        return false;
    r->status = fault_status(r->fault.code);
    message_u64(m, "verified", &verified);
    r->verified = verified == 1;
    r->runs = 0;
    message_u64(m, "runs", &r->runs);
    r->has_error = message_double(m, "error", &r->max_rel_error);
    message_line(m, "flags", r->flags, sizeof r->flags);
    return true;
}

/* Hands one phase on. Where its name is unknown, it is dropped, and the flags say so. */
static void read_phase(const protocol_message *m, const session_listener *listener, job_result *r)
{
    uint64_t batch = 1;
    phase_name name;
    const char *samples = message_text(m, "samples");
    message_u64(m, "batch", &batch);
    if (!phase_parse(message_text(m, "name"), &name))
        r->unknown_phase = true;
    else if (listener->phase && samples)
        listener->phase(listener->context, &name, (unsigned)batch, samples);
}

/* Hands on what was seen of the machine. false where it is malformed. */
static bool read_watch(const protocol_message *m, const session_listener *listener)
{
    watch seen;
    if (!watch_read(m, &seen))
        return false;
    if (listener->watch)
        listener->watch(listener->context, &seen);
    return true;
}

/* Notes in the flags that a phase was dropped. */
static void flag_unknown_phase(job_result *r)
{
    const size_t used = strlen(r->flags);
    if (!strstr(r->flags, PHASE_UNKNOWN_FLAG))
        snprintf(r->flags + used, sizeof r->flags - used, "%s%s", used ? ";" : "",
                 PHASE_UNKNOWN_FLAG);
}

answer_kind answer_read(const protocol_message *m, const session_listener *listener,
                        worker_step *step_p, job_result *r)
{
    if (message_is(m, "step"))
        return step_find(message_text(m, "name"), step_p) ? ANSWER_ONE : ANSWER_GARBAGE;
    if (message_is(m, "watch"))
        return read_watch(m, listener) ? ANSWER_ONE : ANSWER_GARBAGE;
    if (message_is(m, "phase")) {
        read_phase(m, listener, r);
        return ANSWER_ONE;
    }
    if (message_is(m, "waits") && visit_read_estimate(m, &r->estimate)) {
        r->waits = true;
        r->spin = visit_read_spin(m);
    } else if (!message_is(m, "done") || !read_done(m, r)) {
        return ANSWER_GARBAGE; /* a plugin wrote into the pipe */
    }
    if (r->unknown_phase)
        flag_unknown_phase(r);
    return ANSWER_LAST;
}
