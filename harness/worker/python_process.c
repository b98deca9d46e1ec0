#include "worker/python_process.h"

#include "protocol/message.h"
#include "python_driver.h"
#include "system/clock.h"
#include "system/memory.h"
#include "text/array_room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Places in the shared memory, and the numbers that stand for lent memory, are never used twice, so
 * that an array that a plugin has kept never becomes another one. Only pages in use take memory. */
#define SHARED_BYTES (UINT64_C(1) << 46)

/* Memory of this process, or of its GPU, that the interpreter can map. */
typedef struct region {
    const unsigned char *address;
    size_t bytes;
    uint64_t at;
} region;

typedef struct python_reply {
    uint32_t serial;
    uint32_t status; /* a scan_status */
    char text[PYTHON_TEXT_BYTES];
} python_reply;

struct python_process {
    pid_t pid;
    int channel;
    uint32_t serial;
    cpu_set_t units; /* which it runs on */
    shared_memory memory;
    uint64_t used; /* of those places */
    region *regions;
    size_t region_count, region_capacity;
    struct {
        python_request head;
        char text[PYTHON_TEXT_BYTES];
    } request;
    python_reply reply;
};

/* ---- starting it --------------------------------------------------------------- */

/* The interpreter; it may be a name that is searched for. */
static const char *interpreter(char *path, size_t size)
{
    const char *named = getenv(WORKER_PYTHON), *environment = getenv("VIRTUAL_ENV");
    if (named && *named)
        return named;
    snprintf(path, size, "%s/bin/python3", environment ? environment : "");
    return environment && *environment && access(path, X_OK) == 0 ? path : "python3";
}

/* Answers the first request: no interpreter has been started. */
static void send_why(int channel, const char *name)
{
    struct {
        uint32_t serial, status;
        char text[512];
    } reply = {.serial = 1, .status = SCAN_UNAVAILABLE};
    snprintf(reply.text, sizeof reply.text,
             "the Python interpreter %.200s: %s; install python3, or name one with --python", name,
             strerror(errno));
    send(channel, &reply, offsetof(python_reply, text) + strlen(reply.text), MSG_NOSIGNAL);
}

/* Becomes the interpreter; in the child. Nothing but the channel, the memory and the standard
 * streams stays open, and what it prints goes where the worker's messages go. */
_Noreturn static void become(const python_process *p, int channel, const char *file, bool verbose)
{
    enum { CHANNEL = 3, MEMORY = 4, HIGH = 10 };
    static const char *const before[] = {"-u", "-B", "-X", "utf8", "-c", python_driver_py};
    char path[4096];
    const char *words[16] = {interpreter(path, sizeof path)};
    size_t count = 1;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        words[count++] = before[i];
    words[count++] = file;
    words[count++] = verbose ? "-v" : "-q";
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int high = fcntl(channel, F_DUPFD, HIGH), memory = fcntl(p->memory.file, F_DUPFD, HIGH);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    dup2(high, CHANNEL);
    dup2(memory, MEMORY);
    close_range(MEMORY + 1, ~0U, 0);
    signal(SIGPIPE, SIG_DFL);
    execvp(words[0], (char *const *)(uintptr_t)words);
    send_why(CHANNEL, words[0]);
    _exit(127);
}

static scan_status start(python_process *p, const char *file, bool verbose, errmsg *error)
{
    int ends[2];
    p->memory = shared_memory_new(SHARED_BYTES);
    if (!*p->memory.path)
        return errmsg_set(error, SCAN_ERROR, "no memory can be shared with Python: %s",
                          strerror(errno));
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return errmsg_set(error, SCAN_ERROR, "no channel to Python: %s", strerror(errno));
    sched_getaffinity(0, sizeof p->units, &p->units);
    p->pid = fork();
    if (p->pid == 0)
        become(p, ends[1], file, verbose);
    close(ends[1]);
    if (p->pid > 0) {
        p->channel = ends[0];
        return SCAN_OK;
    }
    close(ends[0]);
    return errmsg_set(error, SCAN_ERROR, "no process for Python: %s", strerror(errno));
}

scan_status python_start(const char *file, bool verbose, python_process **process_p, errmsg *error)
{
    python_process *p = calloc(1, sizeof *p);
    if (!p)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    const scan_status status = start(p, file, verbose, error);
    if (status == SCAN_OK) {
        *process_p = p;
        return SCAN_OK;
    }
    shared_memory_free(&p->memory);
    free(p);
    return status;
}

pid_t python_pid(const python_process *p)
{
    return p ? p->pid : 0;
}

/* ---- messages ------------------------------------------------------------------ */

/* Ends this process as the interpreter has ended, without a second core file. One that has closed
 * its end of the channel and lives is ended. */
_Noreturn static void end_like(pid_t pid)
{
    enum { TIMES = 100, MOMENT_NS = 10000000 };
    const struct rlimit none = {0, 0};
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < TIMES && ended == 0; i++) {
        ended = waitpid(pid, &status, WNOHANG);
        if (ended == 0)
            clock_sleep_ns(MOMENT_NS);
    }
    if (ended != pid) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
}

/* An interpreter that has ended with a request unread makes the first call fail with ECONNRESET;
 * its last answer comes behind that. */
static ssize_t receive(const python_process *p, python_reply *reply_p)
{
    ssize_t got;
    do
        got = recv(p->channel, reply_p, sizeof *reply_p, 0);
    while (got < 0 && (errno == EINTR || errno == ECONNRESET));
    return got;
}

scan_status python_ask(python_process *p, python_request request, const char *text)
{
    const size_t length = text ? strlen(text) : 0, head = offsetof(python_reply, text);
    if (length > sizeof p->request.text)
        return SCAN_ERROR;
    request.serial = ++p->serial;
    p->request.head = request;
    if (text)
        memcpy(p->request.text, text, length);
    /* Where the interpreter has ended, its last answer may still be there. */
    send(p->channel, &p->request, sizeof request + length, MSG_NOSIGNAL);
    ssize_t got;
    do
        got = receive(p, &p->reply);
    while (got >= (ssize_t)head && p->reply.serial != request.serial); /* not an answer to this */
    if (got < (ssize_t)head)
        end_like(p->pid);
    const size_t end = (size_t)got - head;
    p->reply.text[end < sizeof p->reply.text ? end : sizeof p->reply.text - 1] = '\0';
    return p->reply.status <= SCAN_INVALID ? (scan_status)p->reply.status : SCAN_ERROR;
}

const char *python_answer(const python_process *p)
{
    return p->reply.text;
}

scan_status python_told(const python_process *p, const scan_host *host, scan_status status)
{
    return status == SCAN_OK ? SCAN_OK : host->fail(host, status, "%s", python_answer(p));
}

double python_call_ns(python_process *p)
{
    enum { TIMES = 50 };
    double least = 1e9;
    for (int i = 0; i < TIMES; i++) {
        const double start = clock_now_ns();
        python_ask(p, (python_request){.verb = PYTHON_DESTROY}, NULL); /* of no instance */
        const double took = clock_now_ns() - start;
        least = took < least ? took : least;
    }
    return least;
}

/* ---- where it runs ------------------------------------------------------------- */

/* Calls `visit` for each of its threads, as long as it returns true. */
static bool all_threads(const python_process *p,
                        bool (*visit)(pid_t thread, const cpu_set_t *units), const cpu_set_t *units)
{
    char path[64];
    bool all = true;
    snprintf(path, sizeof path, "/proc/%d/task", (int)p->pid);
    DIR *threads = opendir(path);
    const struct dirent *thread;
    while (threads && all && (thread = readdir(threads))) {
        const int id = atoi(thread->d_name);
        all = id <= 0 || visit(id, units);
    }
    if (threads)
        closedir(threads);
    return all;
}

static bool move_to(pid_t thread, const cpu_set_t *units)
{
    sched_setaffinity(thread, sizeof *units, units);
    return true;
}

void python_bind(python_process *p)
{
    cpu_set_t units;
    if (sched_getaffinity(0, sizeof units, &units) != 0 || CPU_EQUAL(&units, &p->units))
        return;
    all_threads(p, move_to, &units);
    p->units = units;
}

static bool stays_on(pid_t thread, const cpu_set_t *units)
{
    cpu_set_t its, shared;
    if (sched_getaffinity(thread, sizeof its, &its) != 0)
        return true;
    CPU_AND(&shared, &its, units);
    return CPU_EQUAL(&shared, &its);
}

bool python_has_left(const python_process *p)
{
    return !all_threads(p, stays_on, &p->units);
}

double python_cpu_ns(const python_process *p)
{
    clockid_t clock;
    return clock_getcpuclockid(p->pid, &clock) == 0 ? clock_read_ns(clock) : 0;
}

/* ---- memory -------------------------------------------------------------------- */

static bool make_room(python_process *p)
{
    region *regions =
        array_room(p->regions, &p->region_capacity, p->region_count, 1, sizeof *regions);
    if (regions)
        p->regions = regions;
    else
        errno = ENOMEM;
    return regions;
}

static void add(python_process *p, void *address, size_t bytes)
{
    p->regions[p->region_count++] = (region){address, bytes, p->used};
    p->used += bytes;
}

bool python_share(python_process *p, void *address, size_t bytes)
{
    if (!make_room(p) || !shared_memory_map(p->memory.path, p->used, address, bytes))
        return false;
    add(p, address, bytes);
    return true;
}

static size_t find(const python_process *p, const void *address)
{
    const unsigned char *at = address;
    size_t i = 0;
    while (i < p->region_count &&
           (at < p->regions[i].address || at >= p->regions[i].address + p->regions[i].bytes))
        i++;
    return i;
}

void python_unshare(python_process *p, const void *address)
{
    const size_t i = p ? find(p, address) : 0;
    if (!p || i == p->region_count)
        return;
    fallocate(p->memory.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)p->regions[i].at,
              (off_t)p->regions[i].bytes);
    p->regions[i] = p->regions[--p->region_count];
}

scan_status python_take_device(python_process *p, uint32_t index)
{
    char number[16];
    snprintf(number, sizeof number, "%u", index);
    return python_ask(p, (python_request){.verb = PYTHON_TAKE_DEVICE}, number);
}

scan_status python_wake_device(python_process *p)
{
    return python_ask(p, (python_request){.verb = PYTHON_WAKE_DEVICE}, NULL);
}

scan_status python_lend(python_process *p, void *address, size_t bytes, const char *handle)
{
    if (!make_room(p))
        return SCAN_NO_MEMORY;
    const scan_status status =
        python_ask(p, (python_request){.verb = PYTHON_OPEN, .in = p->used}, handle);
    if (status == SCAN_OK)
        add(p, address, bytes);
    return status;
}

bool python_take_back(python_process *p, const void *address)
{
    const size_t i = find(p, address);
    if (i == p->region_count || p->regions[i].address != address)
        return false;
    python_ask(p, (python_request){.verb = PYTHON_CLOSE, .in = p->regions[i].at}, NULL);
    p->regions[i] = p->regions[--p->region_count];
    return true;
}

bool python_locate(const python_process *p, const void *address, uint64_t *at_p)
{
    const size_t i = find(p, address);
    if (i < p->region_count)
        *at_p =
            p->regions[i].at + (uint64_t)((const unsigned char *)address - p->regions[i].address);
    return i < p->region_count;
}
