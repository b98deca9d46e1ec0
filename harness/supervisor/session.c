#include "supervisor/session.h"

#include "system/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* ---- what a worker answers ---- */

/* The answer to probe: a device, or the fault. false where it is malformed. */
static bool read_device(const protocol_message *m, scan_device *device_p, fault *fault_p)
{
    scan_device device = {.struct_size = sizeof device};
    if (!fault_read(m, fault_p) || !message_read_members(m, &device_members, &device))
        return false;
    if (fault_p->code == FAULT_NONE)
        *device_p = device;
    return true;
}

static void read_bound(const protocol_message *m, session *s)
{
    uint64_t places = 1, python = 0;
    message_u64(m, "places", &places);
    s->places = (unsigned)places;
    message_u64(m, "python", &python);
    s->python = (pid_t)python;
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
    r->has_error =
        message_double(m, "error", &r->max_rel_error) && message_double(m, "ulps", &r->max_ulps);
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

typedef enum answer_kind { ANSWER_ONE, ANSWER_LAST, ANSWER_GARBAGE } answer_kind;

/* One of the answers to a job or a command of it: the worker's step into *step_p, phases and what
 * was seen of the machine to the listener, and with the last one the outcome into *r. */
static answer_kind read_answer(const protocol_message *m, const session_listener *listener,
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
    if (message_is(m, "waits") && message_read_members(m, &visit_estimate_members, &r->estimate)) {
        r->waits = true;
    } else if (!message_is(m, "done") || !read_done(m, r)) {
        return ANSWER_GARBAGE; /* a plugin wrote into the pipe */
    }
    if (r->unknown_phase)
        row_flags_add(r->flags, sizeof r->flags, PHASE_UNKNOWN_FLAG);
    return ANSWER_LAST;
}

/* ---- the worker ---- */

/* Sets what every row of the session gets. A fault in words has no status of its own, so the caller
 * gives one. */
static void settle(session *s, const fault *f, row_status status)
{
    s->fault = *f;
    s->status = status;
    fault_text(f, s->reason, sizeof s->reason);
}

static void settle_in_words(session *s, row_status status, const char *words)
{
    const fault f = fault_with_text(FAULT_IN_WORDS, words);
    settle(s, &f, status);
}

static void settle_fault(session *s, const fault *f)
{
    settle(s, f, fault_status(f->code));
}

static fault changed(build_change how)
{
    static const char *const words[] = {[BUILD_OVERWRITTEN] = "overwritten",
                                        [BUILD_REPLACED] = "replaced",
                                        [BUILD_REMOVED] = "removed"};
    return fault_with_text(FAULT_BUILD_CHANGED, words[how]);
}

/* Is the file another build than the run began with? Then rows are errors that say so, and the
 * worker is ended. */
static bool has_new_build(session *s)
{
    const build_change how = plugin_build_check(&s->build, s->plugin->file);
    if (how == BUILD_SAME)
        return false;
    const fault f = changed(how);
    worker_process_stop(&s->worker, true);
    settle_fault(s, &f);
    return true;
}

/* Does the worker run another build than the run began with? A worker keeps the file that it has
 * loaded if another file replaces it; the ranks of a launcher load it at a time of their own. */
static bool runs_new_build(session *s)
{
    const build_change how = plugin_build_check(&s->build, s->plugin->file);
    if (how == BUILD_SAME || (how != BUILD_OVERWRITTEN && !s->launcher))
        return false;
    return has_new_build(s);
}

static double children_ns(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
}

static void stop(session *s, bool at_once)
{
    const double before_ns = children_ns();
    worker_process_stop(&s->worker, at_once);
    s->ended_ns += children_ns() - before_ns;
}

double session_cpu_ns(const session *s)
{
    const pid_t processes[] = {s->worker.pid, s->worker.pid ? s->python : 0};
    double ns = s->ended_ns;
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        clockid_t clock;
        if (processes[i] && clock_getcpuclockid(processes[i], &clock) == 0)
            ns += clock_read_ns(clock);
    }
    return ns;
}

static bool start(session *s)
{
    errmsg error;
    if (has_new_build(s))
        return false;
    s->starts++;
    if (worker_process_start(&s->worker, s->plugin->file, s->launcher, s->verbose, &error) !=
        SCAN_OK) {
        const fault f = fault_with_text(FAULT_NO_WORKER, error.text);
        s->worker = (worker_process){.results = -1, .pidfd = -1};
        settle_fault(s, &f);
        return false;
    }
    FILE *commands = s->worker.commands;
    int64_t core = s->core;
    worker_process_number(&s->worker);
    message_begin(commands, "bind");
    message_put_u64(commands, "kind", (uint64_t)s->binding_kind);
    message_put_i64_list(commands, "core", &core, 1);
    message_end(commands);
    return true;
}

static void send_probe(session *s, uint32_t index)
{
    FILE *commands = s->worker.commands;
    message_begin(commands, "probe");
    message_put_u64(commands, "plugin", s->plugin->index);
    message_put_u64(commands, "device", index);
    message_end(commands);
}

void session_renew(session *s)
{
    stop(s, true);
}

/* The fault of a worker from which no message came during `step`. Ends the worker. */
static fault silence(session *s, worker_process_event event, worker_step step)
{
    const fault f = worker_process_fault(&s->worker, event, step, s->timeout_s);
    session_renew(s);
    return f;
}

/* Reads the answers to bind and, if `probed`, to probe. false when interrupted. */
static bool finish_start(session *s, bool probed)
{
    worker_step step = STEP_LOAD;
    for (;;) {
        protocol_message m;
        fault f = {.code = FAULT_NONE};
        worker_process_event event = worker_process_receive(&s->worker, s->timeout_s, &m);
        if (event == WORKER_INTERRUPTED)
            return false;
        if (event == WORKER_MESSAGE && message_is(&m, "device") && !read_device(&m, &s->device, &f))
            event = WORKER_GARBAGE;
        /* Checked after loading: the file may have been replaced just before. */
        const bool loads = step == STEP_LOAD;
        if (loads && has_new_build(s))
            return true;
        if (event != WORKER_MESSAGE) {
            f = silence(s, event, step);
            settle_fault(s, &f);
            return true;
        }
        if (message_is(&m, "loaded")) {
            step = STEP_BIND;
            message_double(&m, "ns", &s->load_ns);
        } else if (message_is(&m, "failed")) {
            char words[FAULT_TEXT_BYTES];
            message_line(&m, "reason", words, sizeof words);
            settle_in_words(s, ROW_ERROR, words);
            session_renew(s);
            return true;
        } else if (message_is(&m, "bound")) {
            read_bound(&m, s);
            step = STEP_PROBE;
            if (!probed)
                return true;
        } else if (message_is(&m, "device")) {
            settle_fault(s, &f);
            return true;
        } else { /* a plugin wrote into the pipe */
            f = silence(s, WORKER_GARBAGE, step);
            settle_fault(s, &f);
            return true;
        }
    }
}

/* How many workers are started at the same time, and how many of them stay: each takes three
 * descriptors. The others start again when they are needed. */
enum { STARTED_AT_ONCE = 12, KEPT_OPEN = 64 };

static void begin_open(session *s)
{
    s->worker = (worker_process){.results = -1, .pidfd = -1};
    s->status = ROW_OK;
    s->build = plugin_build_of(s->plugin->file, &s->plugin->mark);
    if (s->plugin->problem)
        settle_in_words(s, s->plugin->status, s->plugin->problem);
    else if (start(s))
        send_probe(s, s->device_index);
}

bool sessions_open(session *sessions, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        sessions[i].worker = (worker_process){.results = -1, .pidfd = -1};
    for (size_t i = 0; good && i < count + STARTED_AT_ONCE; i++) {
        session *s = i >= STARTED_AT_ONCE ? &sessions[i - STARTED_AT_ONCE] : NULL;
        if (s && s->worker.pid && !s->launcher)
            good = finish_start(s, true);
        if (s && i - STARTED_AT_ONCE >= KEPT_OPEN)
            session_renew(s);
        if (i < count)
            begin_open(&sessions[i]);
        /* Launchers make folders of the same name: one of Open MPI fails where another does so at
         * the same moment. */
        if (i < count && good && sessions[i].launcher && sessions[i].worker.pid)
            good = finish_start(&sessions[i], true);
    }
    return good;
}

void session_close(session *s)
{
    stop(s, false);
}

bool session_reload(session *s)
{
    /* What probe said or did still holds: it is not called again. */
    const bool probe_failed = s->status != ROW_OK && s->fault.step == STEP_PROBE;
    const row_status status = s->status;
    const fault why = s->fault;
    session_renew(s);
    settle_fault(s, &(fault){.code = FAULT_NONE});
    if (start(s) && !finish_start(s, false))
        return false;
    if (probe_failed && s->worker.pid)
        settle(s, &why, status);
    return true;
}

scan_status session_probe(session *s, uint32_t index, scan_device *device_p, fault *fault_p)
{
    protocol_message m;
    fault f = {.code = FAULT_NONE};
    if (!s->worker.pid) {
        *fault_p = s->fault;
        return SCAN_ERROR;
    }
    worker_process_number(&s->worker);
    send_probe(s, index);
    worker_process_event event = worker_process_receive(&s->worker, s->timeout_s, &m);
    if (event == WORKER_MESSAGE && !read_device(&m, device_p, &f))
        event = WORKER_GARBAGE;
    if (event == WORKER_INTERRUPTED) {
        *fault_p = fault_with_text(FAULT_IN_WORDS, "interrupted");
        return SCAN_ERROR;
    }
    if (event != WORKER_MESSAGE)
        f = silence(s, event, STEP_PROBE);
    if (f.code == FAULT_NONE)
        return SCAN_OK;
    *fault_p = f;
    return f.code == FAULT_UNAVAILABLE ? SCAN_UNAVAILABLE : SCAN_ERROR;
}

static void send_job(session *s, const job *j)
{
    job with_plugin = *j;
    with_plugin.plugin = s->plugin->index;
    job_write(s->worker.commands, &with_plugin, s->device_index);
}

static void send_request(session *s, const session_request *request)
{
    static const char *const verbs[] = {[SESSION_VISIT] = "visit",
                                        [SESSION_RELEASE] = "release",
                                        [SESSION_CLOSE] = "close",
                                        [SESSION_DROP] = "drop"};
    FILE *commands = s->worker.commands;
    worker_process_number(&s->worker);
    if (request->verb == SESSION_OPEN) {
        send_job(s, request->job);
        return;
    }
    message_begin(commands, verbs[request->verb]);
    message_put_u64(commands, "id", request->job->measure.id);
    if (request->verb == SESSION_VISIT)
        message_put_members(commands, &visit_members, request->visit);
    message_end(commands);
}

/* false when interrupted. */
static bool listen(session *s, const session_listener *listener, job_result *r)
{
    worker_step step = STEP_OPEN;
    for (;;) {
        protocol_message m;
        answer_kind kind = ANSWER_GARBAGE;
        worker_process_event event = worker_process_receive(&s->worker, s->timeout_s, &m);
        if (event == WORKER_INTERRUPTED)
            return false;
        if (listener->tick)
            listener->tick(listener->context);
        if (event == WORKER_MESSAGE)
            kind = read_answer(&m, listener, &step, r);
        if (kind == ANSWER_LAST)
            return true;
        if (kind == ANSWER_GARBAGE) {
            r->fault = silence(s, event == WORKER_MESSAGE ? WORKER_GARBAGE : event, step);
            r->status = fault_status(r->fault.code);
            return true;
        }
    }
}

/* Discards what a worker says of another build. */
static void distrust(session *s, session_verb verb, job_result *r)
{
    const bool looks =
        verb == SESSION_OPEN || verb == SESSION_CLOSE || (!r->waits && r->status != ROW_OK);
    if (looks && runs_new_build(s))
        *r = (job_result){.status = s->status, .fault = s->fault};
}

bool session_ask(session *s, const session_request *request, const session_listener *listener,
                 job_result *result_p)
{
    job_result r = {.status = ROW_ERROR};
    const bool lives = s->worker.pid && (request->verb != SESSION_OPEN || !runs_new_build(s));
    if (request->verb == SESSION_OPEN && !lives && !session_reload(s))
        return false;
    if (!s->worker.pid) {
        r.status = s->status;
        r.fault = s->fault;
        if (r.status == ROW_OK) { /* it was lost between two commands */
            r.fault = fault_with_text(FAULT_NO_WORKER, "it ended between two commands");
            r.status = fault_status(r.fault.code);
        }
    } else {
        send_request(s, request);
        if (!listen(s, listener, &r))
            return false;
        distrust(s, request->verb, &r);
    }
    *result_p = r;
    return true;
}

bool session_run_job(session *s, const job *j, const session_listener *listener,
                     job_result *result_p)
{
    const session_request request = {.verb = SESSION_OPEN, .job = j};
    return session_ask(s, &request, listener, result_p);
}
