#include "worker/worker.h"

#include "exit_status.h"
#include "loader/search.h"
#include "protocol/job.h"
#include "protocol/message.h"
#include "system/clock.h"
#include "system/process_tree.h"
#include "text/plugin_list.h"
#include "text/shell_words.h"
#include "worker/buffers.h"
#include "worker/frozen.h"
#include "worker/process_state.h"
#include "worker/python_plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

/* ---- as several processes (scan_ranks.h) --------------------------------------- */

/* Launchers give no open files to what they start, so that a rank's last argument says where rank 0
 * finds its pipes: @PLACE. The launcher has inherited them, and keeps them open until all ranks
 * have ended. */
enum { MARK = '@' };

/* Becomes the launcher. Returns only if that fails, with errno. */
static void exec_launcher(const char *command, const char *file, bool verbose)
{
    enum { OWN = 6 };
    char executable[4096], place[64], verb[] = "worker", quiet[] = "-q", talkative[] = "-v";
    char *words[SHELL_WORDS_MOST + OWN], *text = strdup(command);
    errmsg error;
    size_t count = 0;
    if (!text) {
        errno = ENOMEM;
    } else if (shell_words_split(text, words, &count, &error) != SCAN_OK) {
        errno = EINVAL; /* the supervisor has said so before */
    } else if (search_executable(executable, sizeof executable) == SCAN_OK) {
        snprintf(place, sizeof place, "%c/proc/%d/fd", MARK, (int)getpid());
        words[count++] = executable;
        words[count++] = verb;
        words[count++] = verbose ? talkative : quiet;
        words[count++] = (char *)(uintptr_t)file; /* execvp changes none of them */
        words[count++] = place;
        words[count] = NULL;
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what ranks print never gets into the CSV */
        execvp(words[0], words);
    }
    const int failed = errno;
    free(text);
    errno = failed;
}

/* Opens the pipe that the launcher has as `descriptor`. -1: errno. */
static int open_pipe(const char *place, int descriptor, int flags)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", place + 1, descriptor);
    return open(path, flags | O_CLOEXEC);
}

/* The first plugin of the file that works in ranks, or NULL. */
static const scan_ranks *find_ranks(const loader_module *module, size_t *at_p)
{
    for (size_t i = 0; i < module->count; i++)
        if (module->ranks[i].join) {
            *at_p = i;
            return &module->ranks[i];
        }
    return NULL;
}

/* What a rank other than 0 does until rank 0 leaves: it binds itself, to another core than those
 * before it as long as there are any, and serves. Returns the exit status. */
static int serve(const loader_module *module, size_t at, uint32_t rank, worker_host *host)
{
    errmsg error;
    cpu_topology *machine = host->machine;
    const int core = topology_core_before(machine, rank % topology_cores(machine));
    if (topology_bind(machine, BINDING_CORE, core, &error) != SCAN_OK) {
        fprintf(stderr, "scanbench: rank %u: %s\n", rank, error.text);
        return EXIT_USAGE;
    }
    const rank_place place = {&module->ranks[at], module->exported[at], rank};
    const scan_status status = part_serve(&module->plugins[at], &place, host);
    if (status == SCAN_OK)
        return EXIT_GOOD;
    fprintf(stderr, "scanbench: rank %u: %s\n", rank, host->reason);
    return EXIT_USAGE;
}

/* ---- the pipes between it and the supervisor ----------------------------------- */

/* For leave_pipes: atfork handlers take no argument. A process that a plugin forks must neither
 * write to the one pipe nor read the other; it ends when it returns from the plugin, as there would
 * be two workers otherwise. */
static volatile sig_atomic_t worker_forked;
static volatile sig_atomic_t worker_pipes[2];

static void leave_pipes(void)
{
    worker_forked = 1;
    close(worker_pipes[0]);
    close(worker_pipes[1]);
}

/* Moves a pipe to a high number, if the system allows it, because a plugin that closes
 * descriptors at random begins at the low ones; closed on exec. -1: errno. */
static int move_pipe(int from)
{
    enum { HIGH = 100, ABOVE_STANDARD = 3 };
    int to = fcntl(from, F_DUPFD_CLOEXEC, HIGH);
    if (to < 0 && errno == EINVAL) /* above what ulimit -n allows */
        to = fcntl(from, F_DUPFD_CLOEXEC, ABOVE_STANDARD);
    if (to >= 0)
        close(from);
    return to;
}

/* Takes the pipes to hand, out of the reach of plugins, and has what they print go to stderr.
 * `place`: where they lie, for a rank that a launcher started; or NULL. false, with a message on
 * stderr, if they are missing. */
static bool take_pipes(const char *place, FILE **commands_p, FILE **out_p)
{
    const int given = place ? open_pipe(place, WORKER_COMMANDS, O_RDONLY) : WORKER_COMMANDS;
    const int answers = place ? open_pipe(place, WORKER_RESULTS, O_WRONLY) : WORKER_RESULTS;
    /* With the mpirun of another MPI than the plugin's, every process takes itself for rank 0. */
    if (place && given >= 0 && flock(given, LOCK_EX | LOCK_NB) != 0) {
        fprintf(stderr, "scanbench: the launcher started several processes as rank 0; use the one "
                        "of the library that the plugin is linked with (--launcher)\n");
        return false;
    }
    int commands = move_pipe(given);
    int results = commands < 0 ? -1 : move_pipe(answers);
    worker_pipes[0] = commands;
    worker_pipes[1] = results;
    *commands_p = commands < 0 ? NULL : fdopen(commands, "r");
    *out_p = results < 0 ? NULL : fdopen(results, "w");
    /* Whatever a plugin prints goes to stderr, never into the CSV. */
    if (*commands_p && *out_p && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        return true;
    if (errno == EBADF)
        fprintf(stderr, "scanbench: a worker is started by scanbench itself, not by hand\n");
    else
        fprintf(stderr, "scanbench: a worker cannot take its pipes: %s\n", strerror(errno));
    return false;
}

/* ---- its life ------------------------------------------------------------------ */

/* Of a worker that a launcher started: meets the other ranks; rank 0 then takes the pipes, and the
 * others serve it and end. What fails before there are pipes goes to stderr. */
static bool become_rank(worker *w, scan_status loaded, const errmsg *reason)
{
    uint32_t rank = 0, count = 0;
    errmsg error = *reason;
    const scan_ranks *ranks = loaded == SCAN_OK ? find_ranks(&w->module, &w->in_ranks) : NULL;
    if (loaded == SCAN_OK && !ranks)
        errmsg_set(&error, SCAN_ERROR, "no plugin of the file works in ranks");
    w->machine = ranks ? topology_load(&error) : NULL;
    if (!w->machine) {
        fprintf(stderr, "scanbench: a rank cannot start: %s\n", error.text);
        return false;
    }
    worker_host_init(&w->host, w->machine, w->verbose);
    if (ranks->join(&w->host.host, w->module.exported[w->in_ranks], &rank, &count) != SCAN_OK)
        errmsg_set(&error, SCAN_ERROR, "%s", w->host.reason);
    else if (rank >= count)
        errmsg_set(&error, SCAN_ERROR, "the plugin says rank %u of %u", rank, count);
    else if (rank > 0)
        _exit(serve(&w->module, w->in_ranks, rank, &w->host));
    else {
        w->ranks = ranks;
        return take_pipes(w->place, &w->commands, &w->out);
    }
    fprintf(stderr, "scanbench: a rank cannot join: %s\n", error.text);
    return false;
}

/* A file of Python; of what is missing it is told as of a library, without the file's name. */
static scan_status open_python(worker *w, const char *file, errmsg *reason)
{
    const scan_entry_table *entry = NULL;
    errmsg note;
    scan_status status = python_open(file, w->verbose, &w->python, &entry, &note);
    if (status == SCAN_OK)
        status = loader_adopt(entry, &w->module, &note);
    if (status != SCAN_OK)
        errmsg_set(reason, status, "%s%s%s", status == SCAN_UNAVAILABLE ? "" : file,
                   status == SCAN_UNAVAILABLE ? "" : ": ", note.text);
    return status;
}

static scan_status open_file(worker *w, const char *file, loader_step *step_p, errmsg *reason)
{
    if (strcmp(file, CALIBRATOR_FILE) == 0)
        return loader_adopt(calibrators_entry(), &w->module, reason);
    if (!plugin_file_is_python(file))
        return loader_open(file, &w->module, step_p, reason);
    *step_p = LOADER_LOAD;
    return open_python(w, file, reason);
}

static bool load(worker *w, const char *file)
{
    errmsg reason = {0};
    char printed[WORKER_PRINTED_BYTES];
    loader_step step = LOADER_FILE;
    process_state before, after;
    int captured = process_state_capture();
    process_state_read(&before);
    double start = clock_now_ns();
    const scan_status status = open_file(w, file, &step, &reason);
    double ns = clock_now_ns() - start;
    process_state_read(&after);
    w->load_changed = process_state_changed(&before, &after);
    process_state_printed(captured, printed, sizeof printed);
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
    process_tree_adopt(true);
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
    exec_launcher(command, file, w->verbose);
    snprintf(words, sizeof words, "--launcher %s: %s", command, strerror(errno));
    if (take_pipes(w->place, &w->commands, &w->out))
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
    if (launched && *launched != MARK)
        launch(w, launched, file);
    w->place = launched;
    if (!w->place && !take_pipes(w->place, &w->commands, &w->out)) {
        free(w);
        return EXIT_USAGE;
    }
    pthread_atfork(NULL, NULL, leave_pipes);
    w->forked = &worker_forked;
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
    displacement_release_device(&w->displacement);
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
