#include "supervisor/worker_process.h"

#include "loader/search.h"
#include "protocol/message.h"
#include "supervisor/interrupt.h"
#include "system/clock.h"
#include "system/process_tree.h"
#include "system/unpredictable.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_MESSAGE = 64 << 20 };

/* The program's path or, after a newer build has replaced the file, /proc/self/exe. The path comes
 * first because under valgrind /proc/self/exe leads to valgrind. */
static void find_executable(char *path, size_t size)
{
    if (search_executable(path, size) != SCAN_OK || access(path, X_OK) != 0)
        snprintf(path, size, "/proc/self/exe");
}

/* What a worker is started with. */
typedef struct worker_files {
    int nothing; /* /dev/null, its stdin */
    int commands, results;
    const char *launcher; /* or NULL */
} worker_files;

/* Spawns this executable with the two pipe ends at their fixed numbers. The worker gets its own
 * process group, so that Ctrl-C reaches only the supervisor. */
static int spawn(pid_t *pid_p, const char *file, bool verbose, const worker_files *its)
{
    char executable[4096];
    find_executable(executable, sizeof executable);
    char worker[] = "worker", quiet[] = "-q", talkative[] = "-v";
    /* It changes none of them. */
    char *path = (char *)(uintptr_t)file, *launcher = (char *)(uintptr_t)its->launcher;
    char *arguments[] = {executable, worker, verbose ? talkative : quiet, path, launcher, NULL};

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, its->nothing, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, its->commands, WORKER_COMMANDS);
    posix_spawn_file_actions_adddup2(&actions, its->results, WORKER_RESULTS);
    /* What our parent left open is not the plugin's either. */
    posix_spawn_file_actions_addclosefrom_np(&actions, WORKER_RESULTS + 1);
    sigset_t none, ours;
    sigemptyset(&none);
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ours);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawn(pid_p, executable, &actions, &attributes, arguments, environ);
    if (failed) /* replaced just now */
        failed = posix_spawn(pid_p, "/proc/self/exe", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* A pipe whose ends lie above the fixed numbers, so that dup2 never meets them. */
static int make_pipe(int ends[2])
{
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0)
        return errno;
    ends[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 10);
    ends[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 10);
    int failed = ends[0] >= 0 && ends[1] >= 0 ? 0 : errno == EINVAL ? EMFILE : errno;
    close(low[0]);
    close(low[1]);
    return failed;
}

scan_status worker_process_start(worker_process *c_p, const char *file, const char *launcher,
                                 bool verbose, errmsg *error)
{
    process_tree_adopt(true); /* a process that gets away from its worker comes to us */
    int commands[2] = {-1, -1}, results[2] = {-1, -1};
    worker_process c = {.results = -1, .pidfd = -1, .launched = launcher != NULL};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0)
        return errmsg_set(error, SCAN_ERROR, "cannot start a worker for %s: opening /dev/null: %s",
                          file, strerror(errno));
    int failed = make_pipe(commands);
    if (!failed)
        failed = make_pipe(results);
    if (!failed)
        failed = spawn(&c.pid, file, verbose,
                       &(worker_files){nothing, commands[0], results[1], launcher});
    close(nothing);
    if (commands[0] >= 0)
        close(commands[0]);
    if (results[1] >= 0)
        close(results[1]);
    if (failed) {
        if (commands[1] >= 0)
            close(commands[1]);
        if (results[0] >= 0)
            close(results[0]);
        return errmsg_set(error, SCAN_ERROR, "cannot start a worker for %s: %s", file,
                          strerror(failed));
    }
    c.commands = fdopen(commands[1], "w");
    c.results = results[0];
    c.pidfd = (int)syscall(SYS_pidfd_open, c.pid, 0);
    *c_p = c;
    return SCAN_OK;
}

void worker_process_number(worker_process *c)
{
    do
        c->number = unpredictable();
    while (c->number == 0);
    message_begin(c->commands, "number");
    message_put_u64(c->commands, "serial", c->number);
    fputc('\n', c->commands); /* sent with the command */
}

/* Takes a whole line out of the buffer, or returns NULL. */
static char *take_line(worker_process *c)
{
    char *start = c->text + c->consumed;
    char *end = c->used > c->consumed ? memchr(start, '\n', c->used - c->consumed) : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    c->consumed = (size_t)(end - c->text) + 1;
    return start;
}

/* Reads what is available. Returns the bytes read, 0 at the end, -1 on an error. */
static ssize_t fill(worker_process *c)
{
    if (c->consumed > 0) {
        memmove(c->text, c->text + c->consumed, c->used - c->consumed);
        c->used -= c->consumed;
        c->consumed = 0;
    }
    if (c->capacity - c->used < 4096) {
        size_t capacity = c->capacity ? 2 * c->capacity : 16384;
        char *text = capacity > LONGEST_MESSAGE ? NULL : realloc(c->text, capacity);
        if (!text)
            return -1;
        c->text = text;
        c->capacity = capacity;
    }
    ssize_t got = read(c->results, c->text + c->used, c->capacity - c->used - 1);
    if (got > 0)
        c->used += (size_t)got;
    return got;
}

/* Has the worker ended? If so, kills its process group and reaps it: processes that the plugin
 * started would keep the terminal or a pipe open. The group's number cannot be reused before the
 * worker is reaped. */
static bool collect(worker_process *c, int how)
{
    siginfo_t about = {0};
    int got;
    do
        got = waitid(P_PID, (id_t)c->pid, &about, WEXITED | WNOWAIT | how);
    while (got < 0 && errno == EINTR);
    if (got == 0 && about.si_pid == 0)
        return false;
    kill(-c->pid, SIGKILL);
    while (waitpid(c->pid, &c->wait_status, 0) < 0 && errno == EINTR)
        ;
    return true;
}

static void reap(worker_process *c)
{
    collect(c, 0);
    c->pid = 0;
}

/* Does it answer the last command? What comes from loading the file precedes every command. */
static bool is_answer(const worker_process *c, const protocol_message *m)
{
    uint64_t serial;
    if (message_is(m, "loaded") || message_is(m, "failed"))
        return true;
    return message_u64(m, "serial", &serial) && serial == c->number && serial != 0;
}

static worker_process_event parsed(const worker_process *c, char *line, protocol_message *m_p)
{
    return message_parse(line, m_p) && is_answer(c, m_p) ? WORKER_MESSAGE : WORKER_GARBAGE;
}

/* Reads the last messages of a dead worker, then returns WORKER_GONE. A forked child of the plugin
 * may hold the pipe open, so this never waits. */
static worker_process_event drain(worker_process *c, protocol_message *m_p)
{
    fcntl(c->results, F_SETFL, O_NONBLOCK);
    while (fill(c) > 0)
        ;
    char *line = take_line(c);
    if (line)
        return parsed(c, line, m_p);
    reap(c);
    return WORKER_GONE;
}

/* The time for which this process did not run since `turn_ns`, half a second ago at most: it was
 * stopped, perhaps with its whole container or machine. The worker is not to blame for that. */
static double stopped_ns(double *turn_ns)
{
    const double now_ns = clock_now_ns(), took_ns = now_ns - *turn_ns;
    *turn_ns = now_ns;
    return took_ns > 1e9 ? took_ns : 0;
}

static worker_process_event receive(worker_process *c, double timeout_s, protocol_message *m_p)
{
    double turn_ns = clock_now_ns();
    double deadline_ns = turn_ns + timeout_s * 1e9;
    for (;;) {
        if (interrupt_requested())
            return WORKER_INTERRUPTED;
        char *line = take_line(c);
        if (line)
            return parsed(c, line, m_p);
        deadline_ns += stopped_ns(&turn_ns);
        double left = (deadline_ns - turn_ns) * 1e-9;
        if (left <= 0)
            return WORKER_TIMEOUT;
        struct pollfd wait_for[2] = {{.fd = c->results, .events = POLLIN},
                                     {.fd = c->pidfd, .events = POLLIN}};
        /* Waits at most half a second, because poll does not see a signal that came just before
         * it. */
        int ready = poll(wait_for, 2, left < 0.5 ? (int)(left * 1000) + 1 : 500);
        if (ready < 0 && errno != EINTR)
            return WORKER_GONE;
        if (ready <= 0)
            continue;
        if (wait_for[1].revents)
            return drain(c, m_p);
        ssize_t got = fill(c);
        if (got < 0)
            return WORKER_GARBAGE;
        if (got == 0 && c->pidfd < 0)
            return drain(c, m_p);
        if (got == 0) { /* the worker closed the pipe but lives */
            close(c->results);
            c->results = -1;
        }
    }
}

worker_process_event worker_process_receive(worker_process *c, double timeout_s,
                                            protocol_message *m_p)
{
    if (c->pid == 0)
        return WORKER_GONE;
    interrupt_stop_with(c->pid);
    const worker_process_event event = receive(c, timeout_s, m_p);
    interrupt_stop_with(0);
    return event;
}

/* The fault of a worker that ended by itself. */
static fault end_of(const worker_process *c)
{
    fault f = {.code = c->launched ? FAULT_RANKS_ENDED : FAULT_EXITED,
               .count = (uint64_t)WEXITSTATUS(c->wait_status)};
    if (WIFSIGNALED(c->wait_status)) {
        const int number = WTERMSIG(c->wait_status);
        f = fault_with_text(number == SIGKILL ? FAULT_KILLED : FAULT_LOST, strsignal(number));
        f.count = (uint64_t)number;
    }
    return f;
}

/* The fault of a worker that says nothing: was it stopped, by whomever? */
static fault silence_of(const worker_process *c, double timeout_s)
{
    siginfo_t about = {.si_pid = 0};
    fault f = {.code = FAULT_SILENT};
    const int how = WSTOPPED | WNOHANG | WNOWAIT;
    if (waitid(P_PID, (id_t)c->pid, &about, how) == 0 && about.si_pid == c->pid) {
        f = fault_with_text(FAULT_STOPPED, strsignal(about.si_status));
        f.count = (uint64_t)about.si_status;
    }
    f.ns = timeout_s * 1e9;
    return f;
}

fault worker_process_fault(const worker_process *c, worker_process_event event, worker_step step,
                           double timeout_s)
{
    fault f = {.code = FAULT_MALFORMED};
    if (event == WORKER_GONE)
        f = end_of(c);
    else if (event == WORKER_TIMEOUT)
        f = silence_of(c, timeout_s);
    f.step = step;
    return f;
}

/* Waits up to `seconds` for the worker to end; after an interrupt only for a launcher. */
static bool ended(worker_process *c, double seconds)
{
    double deadline_ns = clock_now_ns() + seconds * 1e9;
    for (;;) {
        if (collect(c, WNOHANG))
            return true;
        if (clock_now_ns() >= deadline_ns || (interrupt_requested() && !c->launched))
            return false;
        struct pollfd wait_for = {.fd = c->pidfd, .events = POLLIN};
        poll(&wait_for, 1, 10);
    }
}

static void send_signal(const worker_process *c, int number)
{
    kill(-c->pid, number);
    kill(c->pid, number); /* in case it has no group of its own yet */
}

static void end_running(worker_process *c)
{
    /* A launcher ends its ranks, also those of other machines, and removes its files and their
     * shared memory, which would stay if it were killed. */
    const double patience_s = 20;
    if (c->launched) {
        kill(c->pid, SIGTERM);
        if (ended(c, patience_s))
            return;
    }
    process_tree_kill(c->pid);
    if (!interrupt_requested()) {
        send_signal(c, SIGTERM);
        if (ended(c, 1))
            return;
    }
    send_signal(c, SIGKILL);
    reap(c);
}

void worker_process_stop(worker_process *c, bool at_once)
{
    if (c->commands) {
        if (c->pid && !at_once) {
            message_begin(c->commands, "quit");
            message_end(c->commands);
        }
        fclose(c->commands);
    }
    if (c->pid && (at_once || !ended(c, 2)))
        end_running(c);
    if (c->results >= 0)
        close(c->results);
    if (c->pidfd >= 0)
        close(c->pidfd);
    free(c->text);
    *c = (worker_process){.results = -1, .pidfd = -1};
}
