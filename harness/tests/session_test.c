/*
 * session_test.c - which faults, steps and phases a session accepts from a worker
 *
 * The worker here is a list of lines; the functions of worker_process.h are stand-ins.
 */
#include "supervisor/session.h"
#include "tap.h"

static struct {
    const char *rest; /* not yet sent */
    char line[512];   /* the last one sent */
    FILE *commands;
} stand_in;

scan_status worker_process_start(worker_process *c_p, const char *file, const char *launcher,
                                 bool verbose, errmsg *error)
{
    (void)file;
    (void)launcher;
    (void)verbose;
    *c_p = (worker_process){.results = -1, .pidfd = -1};
    return errmsg_set(error, SCAN_ERROR, "nobody starts");
}

void worker_process_number(worker_process *c)
{
    c->number++;
}

worker_process_event worker_process_receive(worker_process *c, double timeout_s,
                                            protocol_message *m_p)
{
    (void)c;
    (void)timeout_s;
    const size_t length = strcspn(stand_in.rest, "\n");
    if (length == 0)
        return WORKER_GONE;
    snprintf(stand_in.line, sizeof stand_in.line, "%.*s", (int)length, stand_in.rest);
    stand_in.rest += stand_in.rest[length] ? length + 1 : length;
    return message_parse(stand_in.line, m_p) ? WORKER_MESSAGE : WORKER_GARBAGE;
}

fault worker_process_fault(const worker_process *c, worker_process_event event, worker_step step,
                           double timeout_s)
{
    (void)c;
    (void)timeout_s;
    return (fault){.code = event == WORKER_GONE ? FAULT_LOST : FAULT_MALFORMED, .step = step};
}

void worker_process_stop(worker_process *c, bool at_once)
{
    (void)at_once;
    *c = (worker_process){.results = -1, .pidfd = -1};
}

/* The phases that came through, as "run kernel:a ". */
static void on_phase(void *context, const phase_name *name, unsigned batch, const char *samples)
{
    char text[PHASE_TEXT_BYTES];
    char *all = context;
    (void)batch;
    (void)samples;
    strcat(strcat(all, phase_print(name, text)), " ");
}

/* The result of a job that the worker answers with these lines. */
static job_result run(const char *lines, char *phases)
{
    static char no_file[] = "";
    static const plugin_info plugin = {.file = no_file};
    session one = {
        .plugin = &plugin, .timeout_s = 1, .worker = {.pid = 1, .commands = stand_in.commands}};
    const job j = {.run.repeat = 1};
    job_result result = {.status = ROW_OK};
    stand_in.rest = lines;
    *phases = '\0';
    const session_listener listener = {.phase = on_phase, .context = phases};
    if (!session_run_job(&one, &j, &listener, &result))
        result.fault = fault_with_text(FAULT_IN_WORDS, "interrupted");
    return result;
}

static void test_faults(void)
{
    static const struct {
        const char *lines;
        fault_code code;
        row_status status;
    } said[] = {
        {"done\tfault=none\tverified=1", FAULT_NONE, ROW_OK},
        {"done\tfault=no_memory\tstep=create", FAULT_NO_MEMORY, ROW_SKIPPED},
        {"done\tfault=unavailable", FAULT_UNAVAILABLE, ROW_UNAVAILABLE},
        {"done\tfault=unsupported\ttext=odd", FAULT_UNSUPPORTED, ROW_UNSUPPORTED},
        {"done\tfault=wrote_past\tbuffer=output\tbytes=4", FAULT_WROTE_PAST, ROW_WRONG},
        {"done\tfault=call_failed\tstep=run", FAULT_CALL_FAILED, ROW_ERROR},
        {"done\tfault=lost", FAULT_MALFORMED, ROW_ERROR},
        {"done\tfault=silent", FAULT_MALFORMED, ROW_ERROR},
        {"done\tfault=required", FAULT_MALFORMED, ROW_ERROR},
        {"done\tfault=splendid", FAULT_MALFORMED, ROW_ERROR},
        {"done\tfault=", FAULT_MALFORMED, ROW_ERROR},
        {"done\tverified=1", FAULT_MALFORMED, ROW_ERROR},
        {"done\tfault=call_failed\tstep=dancing", FAULT_MALFORMED, ROW_ERROR},
        {"done\tfault=wrote_past\tbytes=many", FAULT_MALFORMED, ROW_ERROR},
        {"step\tname=dancing\ndone\tfault=none", FAULT_MALFORMED, ROW_ERROR},
        {"greetings", FAULT_MALFORMED, ROW_ERROR},
        {"watch\tns=5\tswitches=0\tfaults=0\ndone\tfault=none", FAULT_NONE, ROW_OK},
        {"watch\tns=5\ndone\tfault=none", FAULT_MALFORMED, ROW_ERROR},
        {"step\tname=run", FAULT_LOST, ROW_CRASHED},
    };
    char phases[256];
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const job_result r = run(said[i].lines, phases);
        ok(r.fault.code == said[i].code && r.status == said[i].status, "answer %zu is %s: %s", i,
           fault_word(said[i].code), row_status_word(said[i].status));
    }
    ok(run("step\tname=run", phases).fault.step == STEP_RUN,
       "a worker that is gone was at the step it sent last");
    ok(run("", phases).fault.step == STEP_OPEN, "or at the first, before it sent any");
}

#define PHASE(name) "phase\tname=" name "\tbatch=1\tsamples=5\n"

static void test_phases(void)
{
    char phases[256];
    job_result r =
        run(PHASE("run") PHASE("kernel:up_sweep") "done\tfault=none\tflags=batch=2", phases);
    is_text(phases, "run kernel:up_sweep ", "known phases are handed on");
    is_text(r.flags, "batch=2", "and the flags are the worker's");
    r = run(PHASE("warp") PHASE("kernel:Up") PHASE("kernel:") PHASE("")
                PHASE("run") "done\tfault=none\tflags=batch=2",
            phases);
    is_text(phases, "run ", "others are dropped");
    ok(r.status == ROW_OK, "the result stands without them");
    is_text(r.flags, "batch=2;unknown_phase", "and its flags say so, once");
    r = run("phase\tbatch=1\tsamples=5\ndone\tfault=none", phases);
    is_text(r.flags, "unknown_phase", "a phase without a name is unknown too");
    r = run(PHASE("warp") "done\tfault=none\tflags=unknown_phase", phases);
    is_text(r.flags, "unknown_phase", "what the worker has flagged is not flagged again");
}

int main(void)
{
    stand_in.commands = fopen("/dev/null", "w");
    if (!stand_in.commands)
        return 1;
    tap_plan(21 + 7);
    test_faults();
    test_phases();
    fclose(stand_in.commands);
    return tap_done();
}
