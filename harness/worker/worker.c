#include "worker/worker.h"

#include "exit_status.h"
#include "protocol/calibrator.h"
#include "protocol/message.h"
#include "system/clock.h"
#include "system/process_tree.h"
#include "worker/calibrators.h"
#include "worker/launch.h"
#include "worker/process_state.h"
#include "worker/worker_commands.h"
#include "worker/worker_pipes.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The calibrators, or a plugin file. */
static scan_status open_module(const char *file, loader_module *module_p, loader_step *step_p,
                               errmsg *reason)
{
    return strcmp(file, CALIBRATOR_FILE) == 0 ? loader_adopt(calibrators_entry(), module_p, reason)
                                              : loader_open(file, module_p, step_p, reason);
}

/* Of a worker that a launcher started: meets the other ranks; rank 0 then takes the pipes, and the
 * others serve it and end. What fails before there are pipes goes to stderr. */
static bool become_rank(worker *w, scan_status loaded, const errmsg *reason)
{
    uint32_t rank = 0, count = 0;
    const scan_ranks *ranks = loaded == SCAN_OK ? launch_find(&w->module, &w->in_ranks) : NULL;
    if (!ranks) {
        fprintf(stderr, "scanbench: a rank cannot start: %s\n",
                loaded == SCAN_OK ? "no plugin of the file works in ranks" : reason->text);
        return false;
    }
    errmsg error;
    w->machine = topology_load(&error);
    if (!w->machine) {
        fprintf(stderr, "scanbench: a rank cannot start: %s\n", error.text);
        return false;
    }
    worker_host_init(&w->host, w->machine, w->verbose);
    if (ranks->join(&w->host.host, w->module.exported[w->in_ranks], &rank, &count) != SCAN_OK) {
        fprintf(stderr, "scanbench: a rank cannot join: %s\n", w->host.reason);
        return false;
    }
    if (rank >= count) {
        fprintf(stderr, "scanbench: a rank cannot join: the plugin says rank %u of %u\n", rank,
                count);
        return false;
    }
    if (rank > 0)
        _exit(launch_serve(&w->module, w->in_ranks, rank, &w->host));
    w->ranks = ranks;
    return worker_pipes_take(w->place, &w->commands, &w->out);
}

static bool load(worker *w, const char *file)
{
    errmsg reason;
    char printed[WORKER_PRINTED_BYTES];
    loader_step step = LOADER_FILE;
    process_state *states = calloc(2, sizeof *states); /* the stack may be small */
    if (!states)
        return false;
    int captured = process_state_capture();
    process_state_read(&states[0]);
    double start = clock_now_ns();
    scan_status status = open_module(file, &w->module, &step, &reason);
    double ns = clock_now_ns() - start;
    process_state_read(&states[1]);
    w->load_changed = process_state_changed(&states[0], &states[1]);
    process_state_printed(captured, printed, sizeof printed);
    free(states);
    if (w->place && !become_rank(w, status, &reason))
        return false;
    if (status != SCAN_OK) {
        message_begin(w->out, "failed");
        message_put_u64(w->out, "step", (uint64_t)step);
        message_put_u64(w->out, "unavailable", status == SCAN_UNAVAILABLE);
        message_put_text(w->out, "reason", reason.text);
        message_end(w->out);
        return false;
    }
    message_begin(w->out, "loaded");
    message_put_double(w->out, "ns", ns);
    message_put_text(w->out, "printed", printed);
    message_put_u64(w->out, "exports", w->module.exports);
    message_put_text(w->out, "export", w->module.export);
    return message_end(w->out);
}

/* Makes the worker end with the supervisor, and be the first to be killed when memory runs out. */
static void tie_to_supervisor(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    process_tree_adopt();
    signal(SIGPIPE, SIG_IGN);
    FILE *score = fopen("/proc/self/oom_score_adj", "we");
    if (score) {
        fputs("800\n", score);
        fclose(score);
    }
}

/* Becomes a launcher; does not return. */
static void launch(worker *w, const char *command, const char *file)
{
    char words[256];
    launch_ranks(command, file, w->verbose);
    snprintf(words, sizeof words, "--launcher %s: %s", command, strerror(errno));
    if (worker_pipes_take(w->place, &w->commands, &w->out))
        worker_send_failed(w->out, words);
    _exit(EXIT_USAGE);
}

int worker_main(const char *file, bool verbose, const char *launched)
{
    tie_to_supervisor();
    worker *w = calloc(1, sizeof *w); /* the stack may be small (ulimit -s) */
    if (!w)
        return EXIT_USAGE;
    w->verbose = verbose;
    /* Numbers on the pipe keep their decimal point, whatever locale a plugin sets. */
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    if (launched && !launch_is_place(launched))
        launch(w, launched, file);
    w->place = launched;
    if (!w->place && !worker_pipes_take(w->place, &w->commands, &w->out)) {
        free(w);
        return EXIT_USAGE;
    }
    worker_pipes_guard_forks();
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool good = load(w, file);
    while (good && (length = getline(&line, &capacity, w->commands)) > 0) {
        protocol_message m;
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        good = message_parse(line, &m) && worker_obey(w, &m);
    }
    free(line);
    displacement_free(&w->displacement);
    spot_table_free(&w->spots);
    if (w->open && w->open->memory)
        w->open->memory->close(w->context);
    if (w->ranks)
        w->ranks->leave(w->module.exported[w->in_ranks]);
    process_tree_kill(getpid());
    fflush(NULL);
    /* Skips destructors: threads and runtimes that plugins started may still use what they would
     * free. */
    _exit(0);
}
