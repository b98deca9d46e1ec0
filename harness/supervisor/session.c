#include "supervisor/session.h"

#include <stdlib.h>
#include <string.h>

static bool start(session *l)
{
    if (worker_process_start(&l->worker, l->plugin->file, l->verbose, l->reason,
                             sizeof l->reason) != SCAN_OK) {
        l->worker = (worker_process){.results = -1, .pidfd = -1};
        l->status = ROW_ERROR;
        return false;
    }
    FILE *commands = worker_process_commands(&l->worker);
    int64_t core = l->core;
    message_begin(commands, "bind");
    message_put_u64(commands, "kind", (uint64_t)l->binding_kind);
    message_put_i64_list(commands, "core", &core, 1);
    message_end(commands);
    return true;
}

static void send_probe(session *l, uint32_t index)
{
    FILE *commands = worker_process_commands(&l->worker);
    message_begin(commands, "probe");
    message_put_u64(commands, "plugin", l->plugin->index);
    message_put_u64(commands, "device", index);
    message_end(commands);
}

static void stop_worker(session *l)
{
    worker_process_stop(&l->worker, true);
}

/* Why a worker fell silent while it did `step`. Ends the worker. */
static row_status silence(session *l, worker_process_event event, const char *step, char *reason,
                          size_t size)
{
    row_status status = ROW_ERROR;
    if (event == WORKER_GONE) {
        char end[160];
        worker_process_end(&l->worker, end, sizeof end);
        snprintf(reason, size, "the worker was %s during %s",
                 strncmp(end, "exited", 6) == 0 ? "ended by the plugin" : "lost", step);
        size_t used = strlen(reason);
        snprintf(reason + used, size - used, ": %s", end);
        status = ROW_CRASHED;
    } else if (event == WORKER_TIMEOUT) {
        snprintf(reason, size, "no progress for %.3g s during %s (--timeout)", l->timeout_s, step);
        status = ROW_TIMEOUT;
    } else {
        snprintf(reason, size, "the worker sent what is no message during %s", step);
    }
    stop_worker(l);
    return status;
}

static scan_status read_device(session *l, const protocol_message *m, session_device *device_p,
                               char *reason, size_t size)
{
    uint64_t status = SCAN_ERROR, flags = 0, max_block = 0, clock = 0, in_words = 0;
    session_device device = {0};
    message_u64(m, "status", &status);
    message_u64(m, "flags", &flags);
    message_u64(m, "max_block", &max_block);
    message_u64(m, "clock_mhz", &clock);
    message_u64(m, "memory_bytes", &device.memory_bytes);
    message_u64(m, "in_words", &in_words);
    message_line(m, "name", device.name, sizeof device.name);
    message_line(m, "driver", device.driver, sizeof device.driver);
    device.flags = (uint32_t)flags;
    device.max_block = (uint32_t)max_block;
    device.clock_mhz = (uint32_t)clock;
    if (status != SCAN_OK) {
        l->in_words = in_words != 0;
        message_line(m, "reason", reason, size);
        return status == SCAN_UNAVAILABLE ? SCAN_UNAVAILABLE : SCAN_ERROR;
    }
    *device_p = device;
    return SCAN_OK;
}

/* Reads the answers to bind and, if wanted, to probe. false when interrupted. */
static bool finish_start(session *l, bool probed)
{
    const char *step = "loading";
    for (;;) {
        protocol_message m;
        worker_process_event event = worker_process_receive(&l->worker, l->timeout_s, &m);
        if (event == WORKER_INTERRUPTED)
            return false;
        if (event != WORKER_MESSAGE) {
            l->status = silence(l, event, step, l->reason, sizeof l->reason);
            return true;
        }
        if (message_is(&m, "loaded")) {
            step = "binding";
            message_double(&m, "ns", &l->load_ns);
        } else if (message_is(&m, "failed")) {
            message_line(&m, "reason", l->reason, sizeof l->reason);
            l->status = ROW_ERROR;
            stop_worker(l);
            return true;
        } else if (message_is(&m, "bound")) {
            uint64_t places = 1;
            message_u64(&m, "places", &places);
            l->places = (unsigned)places;
            message_line(&m, "binding", l->binding, sizeof l->binding);
            step = "probe";
            if (!probed)
                return true;
        } else if (message_is(&m, "device")) {
            scan_status status = read_device(l, &m, &l->device, l->reason, sizeof l->reason);
            l->status = status == SCAN_OK            ? ROW_OK
                        : status == SCAN_UNAVAILABLE ? ROW_UNAVAILABLE
                                                     : ROW_ERROR;
            return true;
        }
    }
}

bool sessions_open(session *sessions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        session *l = &sessions[i];
        l->worker = (worker_process){.results = -1, .pidfd = -1};
        l->status = ROW_OK;
        if (l->plugin->problem) {
            l->status = l->plugin->status;
            snprintf(l->reason, sizeof l->reason, "%s", l->plugin->problem);
        } else if (start(l)) {
            send_probe(l, l->device_index);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (sessions[i].worker.pid && !finish_start(&sessions[i], true))
            return false;
    return true;
}

void session_close(session *l)
{
    worker_process_stop(&l->worker, false);
}

void session_renew(session *l)
{
    stop_worker(l);
}

bool session_reload(session *l)
{
    const bool absent = l->status == ROW_UNAVAILABLE;
    stop_worker(l);
    l->status = ROW_OK;
    if (start(l) && !finish_start(l, false))
        return false;
    if (absent && l->worker.pid)
        l->status = ROW_UNAVAILABLE;
    return true;
}

scan_status session_probe(session *l, uint32_t index, session_device *device_p, char *reason,
                          size_t size)
{
    if (!l->worker.pid)
        return SCAN_ERROR;
    send_probe(l, index);
    protocol_message m;
    worker_process_event event = worker_process_receive(&l->worker, l->timeout_s, &m);
    if (event != WORKER_MESSAGE) {
        silence(l, event, "probe", reason, size);
        return SCAN_ERROR;
    }
    return read_device(l, &m, device_p, reason, size);
}

static void read_done(const protocol_message *m, job_result *r)
{
    uint64_t verified = 0, clock = 0, unwritten = 0;
    r->status = row_status_claimed(message_text(m, "status"));
    message_u64(m, "verified", &verified);
    message_u64(m, "clock_mhz", &clock);
    message_u64(m, "unwritten", &unwritten);
    r->unwritten = unwritten == 1;
    r->verified = verified == 1;
    r->clock_mhz = (unsigned)clock;
    r->has_error = message_double(m, "error", &r->max_rel_error);
    message_line(m, "reason", r->reason, sizeof r->reason);
    message_line(m, "flags", r->flags, sizeof r->flags);
    r->has_first_bad = message_u64(m, "first_bad", &r->first_bad);
    message_line(m, "got", r->got, sizeof r->got);
    message_line(m, "expected", r->expected, sizeof r->expected);
}

static void send_job(session *l, const job *j)
{
    job with_plugin = *j;
    with_plugin.plugin = l->plugin->index;
    job_write(worker_process_commands(&l->worker), &with_plugin, l->device_index);
}

/* Hands one phase on. false where its name is no phase: it is dropped. */
static bool read_phase(const protocol_message *m, session_phase phase, void *context)
{
    uint64_t batch = 1;
    phase_name name;
    const char *stop = message_text(m, "stop"), *samples = message_text(m, "samples");
    message_u64(m, "batch", &batch);
    if (!phase_parse(message_text(m, "name"), &name))
        return false;
    if (phase && stop && samples)
        phase(context, &name, (unsigned)batch, stop, samples);
    return true;
}

/* Says that a phase was dropped. */
static void flag_unknown_phase(job_result *r)
{
    const size_t used = strlen(r->flags);
    if (!strstr(r->flags, PHASE_UNKNOWN_FLAG))
        snprintf(r->flags + used, sizeof r->flags - used, "%s%s", used ? ";" : "",
                 PHASE_UNKNOWN_FLAG);
}

bool session_run_job(session *l, const job *j, session_phase phase, session_tick tick,
                     void *context, job_result *result_p)
{
    job_result r = {.status = ROW_ERROR};
    char step[48] = "open";
    bool phases_known = true;
    if (!l->worker.pid) {
        if (!session_reload(l))
            return false;
        if (!l->worker.pid) {
            r.status = l->status;
            snprintf(r.reason, sizeof r.reason, "%s", l->reason);
            *result_p = r;
            return true;
        }
    }
    send_job(l, j);
    for (;;) {
        protocol_message m;
        worker_process_event event = worker_process_receive(&l->worker, l->timeout_s, &m);
        if (event == WORKER_INTERRUPTED)
            return false;
        if (tick)
            tick(context);
        if (event == WORKER_MESSAGE && message_is(&m, "step")) {
            message_line(&m, "name", step, sizeof step);
        } else if (event == WORKER_MESSAGE && message_is(&m, "phase")) {
            phases_known &= read_phase(&m, phase, context);
        } else if (event == WORKER_MESSAGE && message_is(&m, "done")) {
            read_done(&m, &r);
            if (!phases_known)
                flag_unknown_phase(&r);
            break;
        } else { /* a word of its own is garbage too: a plugin wrote into the pipe */
            r.status = silence(l, event, step, r.reason, sizeof r.reason);
            break;
        }
    }
    *result_p = r;
    return true;
}
