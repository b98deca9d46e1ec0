#include "worker/worker.h"

#include "exit_status.h"
#include "loader/loader.h"
#include "protocol/calibrator.h"
#include "protocol/channel.h"
#include "system/clock.h"
#include "system/process_tree.h"
#include "worker/calibrators.h"
#include "worker/describe.h"
#include "worker/launch.h"
#include "worker/open_set.h"
#include "worker/process_state.h"
#include "worker/run_job.h"
#include "worker/watch_visit.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct worker {
    FILE *commands;
    FILE *out;
    uint64_t serial; /* of the command that is obeyed */
    loader_module module;
    cpu_topology *machine;
    worker_host host;
    bool verbose;
    fault_part load_changed; /* of the process */
    const scan_plugin *open; /* whose memory context is open, or NULL */
    uint32_t device;
    void *context;
    displacement displacement;
    spot_table spots;
    open_set open_set;
    worker_watch watch;
    const char *place;       /* of its pipes, for a rank that a launcher started; or NULL */
    const scan_ranks *ranks; /* of rank 0, which has joined the others; or NULL */
    size_t in_ranks;         /* the plugin that has */
} worker;

/* For leave_pipes: atfork handlers take no argument. */
static volatile sig_atomic_t worker_forked;
static volatile sig_atomic_t worker_pipes[2];

/* A process that a plugin forks must neither write to the worker's pipe nor read its commands. It
 * ends when it returns from the plugin; otherwise there would be two workers. */
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

/* false, with a message on stderr, if the pipes are missing. */
static bool take_pipes(worker *w)
{
    const int given =
        w->place ? launch_open_pipe(w->place, WORKER_COMMANDS, O_RDONLY) : WORKER_COMMANDS;
    const int answers =
        w->place ? launch_open_pipe(w->place, WORKER_RESULTS, O_WRONLY) : WORKER_RESULTS;
    if (w->place && given >= 0 && !launch_is_only(given)) {
        fprintf(stderr, "scanbench: the launcher started several processes as rank 0; use the one "
                        "of the library that the plugin is linked with (--launcher)\n");
        return false;
    }
    int commands = move_pipe(given);
    int results = commands < 0 ? -1 : move_pipe(answers);
    worker_pipes[0] = commands;
    worker_pipes[1] = results;
    w->commands = commands < 0 ? NULL : fdopen(commands, "r");
    w->out = results < 0 ? NULL : fdopen(results, "w");
    /* Whatever a plugin prints goes to stderr, never into the CSV. */
    if (w->commands && w->out && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        return true;
    if (errno == EBADF)
        fprintf(stderr, "scanbench: a worker is started by scanbench itself, not by hand\n");
    else
        fprintf(stderr, "scanbench: a worker cannot take its pipes: %s\n", strerror(errno));
    return false;
}

/* Reports a failure outside the steps of loading. */
static bool send_failed(FILE *out, const char *reason)
{
    message_begin(out, "failed");
    message_put_text(out, "reason", reason);
    return message_end(out);
}

/* Reads the machine's topology on the first command that needs it. Describing a file does not need
 * it, and must be quick. */
static bool need_machine(worker *w)
{
    if (w->machine)
        return true;
    errmsg reason;
    w->machine = topology_load(&reason);
    if (!w->machine) {
        send_failed(w->out, reason.text);
        return false;
    }
    worker_host_init(&w->host, w->machine, w->verbose);
    return true;
}

/* Begins the answer to a command. */
static void begin_answer(const worker *w, const char *verb)
{
    message_begin(w->out, verb);
    message_put_u64(w->out, "serial", w->serial);
}

static bool on_bind(worker *w, const protocol_message *m)
{
    uint64_t kind = BINDING_NONE;
    int64_t core = -1;
    message_u64(m, "kind", &kind);
    message_i64_list(m, "core", &core, 1);
    if (!need_machine(w))
        return false;
    errmsg reason;
    if (topology_bind(w->machine, (binding_kind)kind, (int)core, &reason) != SCAN_OK)
        return send_failed(w->out, reason.text);
    worker_host_init(&w->host, w->machine, w->verbose);
    begin_answer(w, "bound");
    message_put_text(w->out, "binding", topology_binding(w->machine));
    message_put_u64(w->out, "places", topology_places(w->machine));
    return message_end(w->out);
}

static const scan_plugin *plugin_of(const worker *w, const protocol_message *m)
{
    uint64_t index = 0;
    message_u64(m, "plugin", &index);
    return index < w->module.count ? &w->module.plugins[index] : NULL;
}

/* The file's own struct of the same plugin. */
static const scan_plugin *exported_of(const worker *w, const scan_plugin *p)
{
    return w->module.exported[p - w->module.plugins];
}

/* What it says of parts, or NULL. */
static const scan_parts *parts_of(const worker *w, const scan_plugin *p)
{
    const scan_parts *parts = &w->module.parts[p - w->module.plugins];
    return parts->run ? parts : NULL;
}

/* Its ranks, or NULL if its parts lie in this process. */
static const scan_ranks *ranks_of(const worker *w, const scan_plugin *p)
{
    const scan_ranks *ranks = &w->module.ranks[p - w->module.plugins];
    return ranks->join ? ranks : NULL;
}

/* The probe of a plugin that has none: its device is the CPU. */
static scan_status probe_cpu(worker *w, uint32_t index, scan_device *device)
{
    if (index > 0)
        return w->host.host.fail(&w->host.host, SCAN_UNAVAILABLE, "there is one CPU, number 0");
    snprintf(device->name, sizeof device->name, "%s", topology_cpu(w->machine));
    device->flags = SCAN_DEVICE_SHARES_HOST_MEMORY;
    return SCAN_OK;
}

/* Decides whether a failed probe or open means "unavailable" or an error. */
static fault_code code_of(scan_status status)
{
    return status == SCAN_UNAVAILABLE ? FAULT_UNAVAILABLE : FAULT_CALL_FAILED;
}

static bool on_probe(worker *w, const protocol_message *m)
{
    const scan_plugin *p = plugin_of(w, m);
    uint64_t index = 0;
    message_u64(m, "device", &index);
    if (!p || !need_machine(w))
        return false;
    scan_device device = {.struct_size = sizeof device};
    w->host.reason[0] = '\0';
    scan_status status = p->probe
                             ? p->probe(&w->host.host, exported_of(w, p), (uint32_t)index, &device)
                             : probe_cpu(w, (uint32_t)index, &device);
    fault f = {.code = FAULT_NONE};
    if (status != SCAN_OK)
        f = worker_host_fault(&w->host, code_of(status), STEP_PROBE, status);
    device.name[sizeof device.name - 1] = device.driver[sizeof device.driver - 1] = '\0';
    begin_answer(w, "device");
    fault_write(w->out, &f);
    message_put_text(w->out, "name", device.name);
    message_put_text(w->out, "driver", device.driver);
    message_put_u64(w->out, "flags", device.flags);
    message_put_u64(w->out, "memory_bytes", device.memory_bytes);
    message_put_u64(w->out, "max_block", device.max_block);
    message_put_u64(w->out, "clock_mhz", device.clock_mhz);
    return message_end(w->out);
}

/* Opens the plugin's memory context unless it is the open one, which then has no open
 * configurations: the supervisor closes them before it turns to another. */
static scan_status open_context(worker *w, const scan_plugin *p, uint32_t device)
{
    if (w->open == p && w->device == device)
        return SCAN_OK;
    displacement_release_device(&w->displacement);
    if (w->open && w->open->memory)
        w->open->memory->close(w->context);
    w->open = NULL;
    w->context = NULL;
    w->host.reason[0] = '\0';
    if (p->memory) {
        scan_status status = p->memory->open(&w->host.host, exported_of(w, p), device, &w->context);
        if (status != SCAN_OK)
            return status;
    }
    w->open = p;
    w->device = device;
    return SCAN_OK;
}

static bool on_job(worker *w, const protocol_message *m)
{
    job j;
    const scan_plugin *p = plugin_of(w, m);
    uint64_t device = 0;
    message_u64(m, "device", &device);
    if (!p || !job_read(m, &j) || !need_machine(w))
        return false;
    trial e = {.plugin = p,
               .exported = exported_of(w, p),
               .parts = parts_of(w, p),
               .ranks = ranks_of(w, p),
               .device = (uint32_t)device,
               .host = &w->host,
               .displacement = &w->displacement,
               .spots = &w->spots,
               .out = w->out,
               .serial = &w->serial,
               .watch = &w->watch,
               .forked = &worker_forked,
               .load_changed = w->load_changed};
    trial_step(&e, STEP_OPEN);
    scan_status status = open_context(w, p, (uint32_t)device);
    e.context = w->context;
    if (status == SCAN_OK && j.mode == JOB_MEASURE)
        return open_set_open(&w->open_set, &e, &j);
    if (status == SCAN_OK)
        return run_job(&e, &j);
    /* Another process may hold the device's memory: that is not the plugin's fault. */
    const fault_code code = status == SCAN_NO_MEMORY ? FAULT_NO_MEMORY : code_of(status);
    const fault f = worker_host_fault(&w->host, code, STEP_OPEN, status);
    begin_answer(w, "done");
    fault_write(w->out, &f);
    return message_end(w->out);
}

static bool obey(worker *w, const protocol_message *m)
{
    if (message_is(m, "number"))
        return message_u64(m, "serial", &w->serial);
    if (message_is(m, "bind"))
        return on_bind(w, m);
    if (message_is(m, "describe"))
        return worker_describe(&w->module, &(description){w->out, w->serial});
    if (message_is(m, "probe"))
        return on_probe(w, m);
    if (message_is(m, "job"))
        return on_job(w, m);
    if (message_is(m, "visit"))
        return open_set_visit(&w->open_set, m);
    if (message_is(m, "release"))
        return open_set_release(&w->open_set, m);
    if (message_is(m, "close"))
        return open_set_close(&w->open_set, m);
    if (message_is(m, "drop"))
        return open_set_drop(&w->open_set, m);
    return false; /* quit, or an unknown command */
}

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
    return take_pipes(w);
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
    if (take_pipes(w))
        send_failed(w->out, words);
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
    if (!w->place && !take_pipes(w)) {
        free(w);
        return EXIT_USAGE;
    }
    pthread_atfork(NULL, NULL, leave_pipes);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool good = load(w, file);
    while (good && (length = getline(&line, &capacity, w->commands)) > 0) {
        protocol_message m;
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        good = message_parse(line, &m) && obey(w, &m);
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
