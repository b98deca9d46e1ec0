/*
 * session_test.c - what a session takes from a worker and what it does not: statuses and phases
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

scan_status worker_process_start(worker_process *c_p, const char *file, bool verbose, char *reason,
                                 size_t size)
{
    (void)file;
    (void)verbose;
    snprintf(reason, size, "nobody starts");
    *c_p = (worker_process){.results = -1, .pidfd = -1};
    return SCAN_ERROR;
}

FILE *worker_process_commands(worker_process *c)
{
    (void)c;
    return stand_in.commands;
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

void worker_process_end(const worker_process *c, char *text, size_t size)
{
    (void)c;
    snprintf(text, size, "killed by signal 11");
}

void worker_process_stop(worker_process *c, bool at_once)
{
    (void)at_once;
    *c = (worker_process){.results = -1, .pidfd = -1};
}

/* The phases that came through, as "run kernel:a ". */
static void on_phase(void *context, const phase_name *name, unsigned batch, const char *stop,
                     const char *samples)
{
    char text[PHASE_TEXT_BYTES];
    char *all = context;
    (void)batch;
    (void)stop;
    (void)samples;
    strcat(strcat(all, phase_print(name, text)), " ");
}

/* What a session makes of a worker that answers a job with these lines. */
static job_result run(const char *lines, char *phases)
{
    static const plugin_info plugin = {.index = 0};
    session one = {.plugin = &plugin, .timeout_s = 1, .worker = {.pid = 1}};
    const job j = {.repeat = 1};
    job_result result = {.status = ROW_OK};
    stand_in.rest = lines;
    *phases = '\0';
    if (!session_run_job(&one, &j, on_phase, NULL, phases, &result))
        snprintf(result.reason, sizeof result.reason, "interrupted");
    return result;
}

static void test_statuses(void)
{
    static const struct {
        const char *word;
        row_status status;
    } said[] = {
        {"ok", ROW_OK},
        {"skipped", ROW_SKIPPED},
        {"unavailable", ROW_UNAVAILABLE},
        {"unsupported", ROW_UNSUPPORTED},
        {"wrong", ROW_WRONG},
        {"error", ROW_ERROR},
        {"crashed", ROW_ERROR},
        {"timeout", ROW_ERROR},
        {"splendid", ROW_ERROR},
        {"", ROW_ERROR},
    };
    char phases[256], line[64];
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        snprintf(line, sizeof line, "done\tstatus=%s\tverified=1", said[i].word);
        ok(run(line, phases).status == said[i].status, "a worker that says \"%s\": %s",
           said[i].word, row_status_word(said[i].status));
    }
    ok(run("done\tverified=1", phases).status == ROW_ERROR, "a worker that says nothing: error");
    ok(run("step\tname=run", phases).status == ROW_CRASHED, "a worker that is gone: crashed");
}

#define PHASE(name) "phase\tname=" name "\tbatch=1\tstop=once\tsamples=5\n"

static void test_phases(void)
{
    char phases[256];
    job_result r =
        run(PHASE("run") PHASE("kernel:up_sweep") "done\tstatus=ok\tflags=batch=2", phases);
    is_text(phases, "run kernel:up_sweep ", "known phases are handed on");
    is_text(r.flags, "batch=2", "and the flags are the worker's");
    r = run(PHASE("warp") PHASE("kernel:Up") PHASE("kernel:") PHASE("")
                PHASE("run") "done\tstatus=ok\tflags=batch=2",
            phases);
    is_text(phases, "run ", "others are dropped");
    ok(r.status == ROW_OK, "the result stands without them");
    is_text(r.flags, "batch=2;unknown_phase", "and its flags say so, once");
    r = run("phase\tbatch=1\tstop=once\tsamples=5\ndone\tstatus=ok", phases);
    is_text(r.flags, "unknown_phase", "a phase without a name is unknown too");
    r = run(PHASE("warp") "done\tstatus=ok\tflags=unknown_phase", phases);
    is_text(r.flags, "unknown_phase", "what the worker has flagged is not flagged again");
}

int main(void)
{
    stand_in.commands = fopen("/dev/null", "w");
    if (!stand_in.commands)
        return 1;
    tap_plan(12 + 7);
    test_statuses();
    test_phases();
    fclose(stand_in.commands);
    return tap_done();
}
