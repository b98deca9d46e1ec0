#include "worker/process_state.h"

#include "system/machine_state.h"
#include "system/process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* ---- what prctl and its relatives set ------------------------------------------ */

/* Those that the call itself returns. */
static const int returned[] = {PR_GET_DUMPABLE,     PR_GET_KEEPCAPS,  PR_GET_TIMERSLACK,
                               PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP,   PR_GET_THP_DISABLE,
                               PR_MCE_KILL_GET,     PR_GET_SECUREBITS};
enum { RETURNED = sizeof returned / sizeof *returned };

enum { IOPRIO_WHO_PROCESS = 1, ASK_PERSONALITY = -1 };

/* The number behind `key` at the beginning of a line of a file; -1 where there is none. */
static long number_in_file(const char *path, const char *key, int base)
{
    char line[256];
    long number = -1;
    FILE *file = fopen(path, "re");
    while (file && number < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            number = strtol(line + strlen(key), NULL, base);
    if (file)
        fclose(file);
    return number;
}

static void read_settings(process_state *m)
{
    for (int i = 0; i < RETURNED; i++)
        m->settings[i] = prctl(returned[i], 0, 0, 0, 0);
    m->settings[RETURNED] = personality((unsigned long)ASK_PERSONALITY);
    m->settings[RETURNED + 1] = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
    m->settings[RETURNED + 3] = number_in_file("/proc/self/oom_score_adj", "", 10);
    m->settings[RETURNED + 4] = number_in_file("/proc/self/coredump_filter", "", 16);
#ifdef PR_GET_TSC
    int counter = 0;
    if (prctl(PR_GET_TSC, &counter) == 0)
        m->settings[RETURNED + 2] = counter;
#endif
    prctl(PR_GET_NAME, m->thread_name);
    prctl(PR_GET_CHILD_SUBREAPER, &m->adopts);
}

void memory_policy_read(const void *address, memory_policy *p_p)
{
    enum { OF_ADDRESS = 2 }; /* MPOL_F_ADDR */
    memory_policy p = {.mode = 0};
#ifdef SYS_get_mempolicy
    const unsigned long bits = 8 * sizeof p.nodes;
    if (syscall(SYS_get_mempolicy, &p.mode, p.nodes, bits, address, address ? OF_ADDRESS : 0) != 0)
        p = (memory_policy){.mode = -1}; /* not allowed, or a kernel without nodes */
#else
    (void)address;
#endif
    *p_p = p;
}

bool memory_policy_same(const memory_policy *a, const memory_policy *b)
{
    return a->mode == b->mode && memcmp(a->nodes, b->nodes, sizeof a->nodes) == 0;
}

/* ---- state that a call may change ---------------------------------------------- */

/* The control bits of MXCSR, whose six lowest are flags that any arithmetic sets, and behind them
 * the control word of the x87 unit and which of its registers are taken, as MMX leaves them without
 * emms: none is when a call returns. Or what another processor has. */
static uint64_t float_control(void)
{
    uint64_t control = 0;
#ifdef __SSE__
    control = _mm_getcsr() & ~UINT32_C(0x3f);
#endif
#if defined(__x86_64__) || defined(__i386__)
    enum { CONTROL = 0, TAGS = 2, WORDS = 7 };
    uint32_t x87[WORDS] = {0}; /* 16 bits of each */
    __asm__ __volatile__("fnstenv %0\n\tfldenv %0" : "+m"(x87));
    control |= (uint64_t)(x87[CONTROL] & 0xffff) << 32 | (uint64_t)(x87[TAGS] & 0xffff) << 48;
#elif defined(__aarch64__)
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
#endif
    return control;
}

/* The sum of the FNV-1a hashes of the strings. */
static uint64_t environment_hash(void)
{
    uint64_t sum = 0;
    for (char **variable = environ; variable && *variable; variable++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        for (const char *c = *variable; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        sum += hash;
    }
    return sum;
}

static unsigned flags_of(const struct sigaction *action)
{
    unsigned flags = SA_NOCLDWAIT;
    if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
        flags |= SA_NOCLDSTOP | SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER | SA_RESETHAND;
    return (unsigned)action->sa_flags & flags;
}

static void read_signals(process_state *m)
{
    stack_t stack = {.ss_flags = SS_DISABLE};
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int i = 1; i < PROCESS_STATE_SIGNALS; i++) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(i, NULL, &action);
        m->signals[i] = (process_signal){.handler = (uintptr_t)action.sa_handler,
                                         .flags = flags_of(&action),
                                         .blocked = sigismember(&blocked, i)};
    }
    sigaltstack(NULL, &stack);
    m->signal_stack = (stack.ss_flags & SS_DISABLE) ? NULL : stack.ss_sp;
    prctl(PR_GET_PDEATHSIG, &m->death_signal);
    static const unsigned timers[PROCESS_STATE_TIMERS] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    for (int i = 0; i < PROCESS_STATE_TIMERS; i++) {
        struct itimerval timer = {0};
        getitimer(timers[i], &timer);
        m->timers[i] = timer.it_value.tv_sec > 0 || timer.it_value.tv_usec > 0;
    }
}

static void read_files(process_state *m)
{
    for (int i = 0; i < 3; i++) {
        struct stat about;
        if (fstat(i, &about) == 0)
            m->standard[i] = (process_file){.device = about.st_dev,
                                            .inode = about.st_ino,
                                            .flags = fcntl(i, F_GETFL),
                                            .descriptor_flags = fcntl(i, F_GETFD)};
    }
    m->mask = umask(S_IRWXG | S_IRWXO);
    umask(m->mask);
}

void process_state_read(process_state *m_p)
{
    process_state *m = m_p;
    *m = (process_state){.rounding = fegetround(),
                         .float_control = float_control(),
                         .environment = environment_hash(),
                         .nice = getpriority(PRIO_PROCESS, 0),
                         .policy = sched_getscheduler(0),
                         .group = getpgrp(),
                         .session = getsid(0)};
    sched_getaffinity(0, sizeof m->affinity, &m->affinity);
    read_settings(m);
    memory_policy_read(NULL, &m->placement);
    read_signals(m);
    read_files(m);
    for (unsigned i = 0; i < RLIM_NLIMITS; i++)
        getrlimit(i, &m->limits[i]);
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(m->locale, sizeof m->locale, "%p %s", (void *)uselocale((locale_t)0),
             locale ? locale : "");
    if (!getcwd(m->folder, sizeof m->folder))
        m->folder[0] = '\0';
}

fault_part process_state_changed(const process_state *before, const process_state *after)
{
#define MEMBER(name) offsetof(process_state, name), sizeof before->name
    static const struct {
        fault_part part;
        size_t at, bytes;
    } members[] = {{FAULT_AFFINITY, MEMBER(affinity)},
                   {FAULT_ROUNDING, MEMBER(rounding)},
                   {FAULT_FLOAT_MODE, MEMBER(float_control)},
                   {FAULT_SIGNALS, MEMBER(signals)},
                   {FAULT_SIGNALS, MEMBER(signal_stack)},
                   {FAULT_SIGNALS, MEMBER(death_signal)},
                   {FAULT_TIMERS, MEMBER(timers)},
                   {FAULT_LOCALE, MEMBER(locale)},
                   {FAULT_FOLDER, MEMBER(folder)},
                   {FAULT_UMASK, MEMBER(mask)},
                   {FAULT_ENVIRONMENT, MEMBER(environment)},
                   {FAULT_STANDARD_FILES, MEMBER(standard)},
                   {FAULT_LIMITS, MEMBER(limits)},
                   {FAULT_SUBREAPER, MEMBER(adopts)},
                   {FAULT_PRCTL, MEMBER(settings)},
                   {FAULT_PRCTL, MEMBER(thread_name)},
                   {FAULT_MEMORY_POLICY, MEMBER(placement.mode)},
                   {FAULT_MEMORY_POLICY, MEMBER(placement.nodes)},
                   {FAULT_PRIORITY, MEMBER(nice)},
                   {FAULT_PRIORITY, MEMBER(policy)},
                   {FAULT_PROCESS_GROUP, MEMBER(group)},
                   {FAULT_PROCESS_GROUP, MEMBER(session)}};
#undef MEMBER
    const char *was = (const char *)before, *is = (const char *)after;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (memcmp(was + members[i].at, is + members[i].at, members[i].bytes) != 0)
            return members[i].part;
    return FAULT_NO_PART;
}

bool process_state_float_is_default(const process_state *m)
{
    return m->rounding == FE_TONEAREST && !(m->float_control & 0x8040);
}

/* ---- what the process holds ---------------------------------------------------- */

static uint64_t entries(const char *path)
{
    uint64_t count = 0;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

/* How many lines of a file begin so; 0 where there is no such file. */
static uint64_t lines_with(const char *path, const char *beginning)
{
    char line[256];
    uint64_t count = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        count += strncmp(line, beginning, strlen(beginning)) == 0;
    if (file)
        fclose(file);
    return count;
}

/* Of System V; they outlive the process. */
static uint64_t segments(void)
{
    char line[512];
    uint64_t count = 0;
    FILE *file = fopen("/proc/sysvipc/shm", "re");
    while (file && fgets(line, sizeof line, file)) {
        int creator = 0;
        count += sscanf(line, "%*d %*d %*s %*s %d", &creator) == 1 && creator == (int)getpid();
    }
    if (file)
        fclose(file);
    return count;
}

static void count_files(uint64_t counts_p[PROCESS_STATE_FOLDERS])
{
    const char *folder = getenv("TMPDIR");
    const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", folder};
    const char *const lists[] = {"/proc/sysvipc/sem", "/proc/sysvipc/msg"};
    enum { FOLDERS = sizeof folders / sizeof *folders, LISTS = sizeof lists / sizeof *lists };
    _Static_assert(FOLDERS + LISTS == PROCESS_STATE_FOLDERS, "each has its count");
    for (int i = 0; i < FOLDERS; i++)
        counts_p[i] = folders[i] ? entries(folders[i]) : 0;
    for (int i = 0; i < LISTS; i++)
        counts_p[FOLDERS + i] = lines_with(lists[i], "");
}

void process_state_measure(process_state_usage *usage_p)
{
    const long locked = number_in_file("/proc/self/status", "VmLck:", 10);
    const long pages = number_in_file("/proc/self/statm", "", 10);
    *usage_p = (process_state_usage){
        .held = {[HELD_DESCRIPTORS] = entries("/proc/self/fd"),
                 [HELD_THREADS] = entries("/proc/self/task"),
                 [HELD_TIMERS] = lines_with("/proc/self/timers", "ID:"),
                 [HELD_SEGMENTS] = segments(),
                 [HELD_MAPPED_BYTES] =
                     pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0,
                 [HELD_LOCKED_KIB] = locked > 0 ? (uint64_t)locked : 0}};
    count_files(usage_p->files);
#ifdef __GLIBC__
    struct mallinfo2 heap = mallinfo2();
    usage_p->held[HELD_HEAP_BYTES] = heap.uordblks + heap.hblkhd;
#endif
}

size_t process_state_others(pid_t *ids_p, size_t most)
{
    const pid_t self = gettid();
    DIR *tasks = opendir("/proc/self/task");
    size_t count = 0;
    for (const struct dirent *task; tasks && count < most && (task = readdir(tasks));) {
        const pid_t thread = (pid_t)strtol(task->d_name, NULL, 10);
        if (thread > 0 && thread != self)
            ids_p[count++] = thread;
    }
    if (tasks)
        closedir(tasks);
    return count;
}

/* The state of a thread of this process, such as 'S' for one that sleeps; 0 where it has ended. */
static char thread_state(pid_t thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    char *stat = machine_text(path);
    const char *name_end = stat ? strrchr(stat, ')') : NULL;
    char state = '\0';
    if (name_end && name_end[1] == ' ')
        state = name_end[2];
    free(stat);
    return state;
}

bool process_state_others_run(void)
{
    pid_t others[PROCESS_STATE_THREADS];
    const size_t count = process_state_others(others, PROCESS_STATE_THREADS);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = thread_state(others[i]) == 'R';
    return found;
}

bool process_state_has_children(pid_t python)
{
    siginfo_t about;
    if (python > 0)
        return process_tree_has_child(getpid(), python) || process_tree_has_child(python, 0);
    return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* ---- what it prints ------------------------------------------------------------ */

int process_state_capture(void)
{
    int captured = memfd_create("stdout", MFD_CLOEXEC);
    fflush(stdout);
    if (captured >= 0 && dup2(captured, STDOUT_FILENO) < 0) {
        close(captured);
        captured = -1;
    }
    return captured;
}

void process_state_printed(int captured, char *text, size_t size)
{
    char chunk[4096];
    ssize_t got;
    text[0] = '\0';
    fflush(stdout);
    if (captured < 0)
        return;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    for (off_t at = 0; (got = pread(captured, chunk, sizeof chunk, at)) > 0; at += got) {
        if (at == 0)
            snprintf(text, size, "%.*s", (int)got, chunk);
        fwrite(chunk, 1, (size_t)got, stderr);
    }
    close(captured);
}
