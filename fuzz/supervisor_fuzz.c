/*
 * supervisor_fuzz.c - the supervisor survives whatever a worker sends. The worker here is the
 * input: each line is one message, and the first byte says how the worker ends. What the
 * supervisor sends must be messages too.
 */
#include "supervisor/session.h"
#include "sweep/measurement.h"

#include "fuzz.h"

#include <math.h>

/* The worker; there is only one at a time. */
static struct {
    const char *rest;         /* not yet sent */
    worker_process_event end; /* what happens then */
    char *line;               /* the last one sent; gone with the next, as the contract says */
    char *commands;           /* received */
    size_t command_bytes;
} stand_in;

scan_status worker_process_start(worker_process *c_p, const char *file, const char *launcher,
                                 bool verbose, errmsg *error)
{
    (void)file;
    (void)launcher;
    (void)verbose;
    if (!stand_in.rest)
        return errmsg_set(error, SCAN_ERROR, "no more workers");
    *c_p = (worker_process){.pid = 1, .pidfd = -1, .results = -1};
    c_p->commands = open_memstream(&stand_in.commands, &stand_in.command_bytes);
    ALWAYS(c_p->commands);
    return SCAN_OK;
}

void worker_process_number(worker_process *c)
{
    c->number++;
}

worker_process_event worker_process_receive(worker_process *c, double timeout_s,
                                            protocol_message *m_p)
{
    ALWAYS(c->pid && timeout_s > 0);
    free(stand_in.line);
    stand_in.line = NULL;
    if (!stand_in.rest)
        return stand_in.end;
    size_t length = strcspn(stand_in.rest, "\n");
    stand_in.line = strndup(stand_in.rest, length);
    stand_in.rest = stand_in.rest[length] ? stand_in.rest + length + 1 : NULL;
    ALWAYS(stand_in.line);
    return message_parse(stand_in.line, m_p) ? WORKER_MESSAGE : WORKER_GARBAGE;
}

fault worker_process_fault(const worker_process *c, worker_process_event event, worker_step step,
                           double timeout_s)
{
    /* A message that nobody expects is malformed, too. */
    const fault_code code = event == WORKER_GONE      ? FAULT_EXITED
                            : event == WORKER_TIMEOUT ? FAULT_SILENT
                                                      : FAULT_MALFORMED;
    ALWAYS(c && event != WORKER_INTERRUPTED && step < STEP_COUNT);
    return (fault){.code = code, .step = step, .ns = timeout_s * 1e9};
}

void worker_process_stop(worker_process *c, bool at_once)
{
    (void)at_once;
    if (c->commands) {
        ALWAYS(fclose(c->commands) == 0);
        char *rest = stand_in.commands;
        while (rest && *rest) {
            protocol_message m;
            char *line = strsep(&rest, "\n");
            ALWAYS(rest && message_parse(line, &m));
        }
        free(stand_in.commands);
        stand_in.commands = NULL;
    }
    *c = (worker_process){.results = -1, .pidfd = -1};
}

/* Does the text end within its buffer, and can it be shown as it is? */
static bool is_line(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return length < size;
}

/* A fault of any code can be shown. */
static void check_fault(const fault *f)
{
    char text[FAULT_SENTENCE_BYTES];
    ALWAYS((unsigned)f->code < FAULT_COUNT && f->step < STEP_COUNT);
    ALWAYS(is_line(f->text, sizeof f->text));
    ALWAYS(is_line(fault_text(f, text, sizeof text), sizeof text));
}

static void check_result(const job_result *r)
{
    ALWAYS(r->status == fault_status(r->fault.code) && is_line(r->flags, sizeof r->flags));
    check_fault(&r->fault);
}

static void check_phases(const measurement *c)
{
    ALWAYS(c->phase_count <= MEASUREMENT_PHASES);
    for (size_t i = 0; i < c->phase_count; i++) {
        const measurement_phase *p = &c->phases[i];
        char text[PHASE_TEXT_BYTES];
        phase_name again;
        ALWAYS(phase_parse(phase_print(&p->name, text), &again) && phase_equal(&p->name, &again));
        ALWAYS(p->count > 0 && p->summary.n == p->count && isfinite(p->summary.median));
    }
}

static void add_phase(void *context, const phase_name *name, unsigned batch, const char *samples)
{
    const measurement_visit v = {.name = *name, .batch = batch, .samples = samples};
    ALWAYS(measurement_add(context, &v) == SCAN_OK);
}

static void add_watch(void *context, const watch *seen)
{
    measurement *c = context;
    circumstances_add(&c->circumstances, seen);
}

/* What is said of the machine follows from what came. */
static void check_circumstances(const circumstances *c)
{
    ALWAYS(isfinite(c->ns) || c->visits > 1);
    for (int i = 0; i < WATCH_VALUES; i++) {
        ALWAYS(c->values[i].visits <= c->visits && c->values[i].nonzero <= c->values[i].visits);
        ALWAYS(circumstances_mean(c, (watch_value_name)i) <= c->values[i].most);
    }
    for (int i = 0; i < FLAGS; i++)
        ALWAYS(c->visits > 0 || !circumstances_are(c, (circumstance_flag)i));
}

/* Does all that a session does with one plugin. */
static void use_session(const plugin_info *plugin)
{
    job j = {.run.repeat = 1, .tunable_count = 1};
    session one = {.plugin = plugin, .core = -1, .timeout_s = 1};
    scan_device device = {0};
    job_result result = {0};
    measurement c = {.session = &one};
    if (sessions_open(&one, 1)) {
        ALWAYS((unsigned)one.status < ROW_STATUS_COUNT);
        ALWAYS(is_line(one.reason, sizeof one.reason));
        ALWAYS(is_line(one.device.name, sizeof one.device.name));
        fault why = {.code = FAULT_NONE};
        scan_status status = session_probe(&one, 1, &device, &why);
        ALWAYS(status == SCAN_OK || status == SCAN_UNAVAILABLE || status == SCAN_ERROR);
        ALWAYS(status == SCAN_OK || why.code != FAULT_NONE || one.fault.code == FAULT_NONE);
        check_fault(&why);
        check_fault(&one.fault);
        const session_listener listener = {.phase = add_phase, .watch = add_watch, .context = &c};
        if (session_run_job(&one, &j, &listener, &result))
            check_result(&result);
        ALWAYS(measurement_summarize(&c, STOP_ROUNDS) == SCAN_OK);
        check_phases(&c);
        check_circumstances(&c.circumstances);
        measurement_free(&c);
    }
    session_close(&one);
}

static void check_plugin(const plugin_info *p)
{
    ALWAYS(p->file && p->id && p->name && p->version && p->summary && p->reference && p->backend);
    ALWAYS(!p->problem == (p->status == ROW_OK) && p->tunable_count <= JOB_TUNABLES);
    ALWAYS(!p->problem || is_line(p->problem, SIZE_MAX));
    for (size_t i = 0; i < p->tunable_count; i++) {
        const tunable_info *t = &p->tunables[i];
        ALWAYS(t->name && t->summary && !t->values == !t->value_count);
        ALWAYS(!t->values || tunable_info_allows(t, t->values[t->value_count - 1]));
        ALWAYS(tunable_info_index(p, t->name) >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const worker_process_event ends[] = {WORKER_GONE, WORKER_TIMEOUT, WORKER_INTERRUPTED,
                                                WORKER_GARBAGE};
    static FILE *nowhere;
    char path[] = "./x.so", *paths[] = {path};
    const search_list files = {.paths = paths, .count = 1};
    registry c = {0};
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    char *text = nowhere && bytes > 0 ? fuzz_text(data + 1, bytes - 1) : NULL;
    if (!text)
        return 0;
    stand_in.rest = text;
    stand_in.end = ends[data[0] % 4];
    FILE *screen = stderr;
    stderr = nowhere; /* warnings of ids that are there twice */
    scan_status status = registry_open(&files, 1, false, &c);
    stderr = screen;
    ALWAYS(status == SCAN_OK || (stand_in.end == WORKER_INTERRUPTED && c.count == 0));
    for (size_t i = 0; i < c.count; i++) {
        check_plugin(&c.plugins[i]);
        use_session(&c.plugins[i]);
    }
    registry_free(&c);
    free(stand_in.line);
    stand_in.line = NULL;
    free(text);
    return 0;
}
