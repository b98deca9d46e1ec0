#include "worker/delay.h"

#include "problem/splitmix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Ignored by default, never queued twice, and of no use to a scan. */
enum { SIGNAL = SIGURG };

/* The value of the signals of its timer. */
enum { CALLER = 1 };

/* The longest delay, and how often a run is interrupted. */
enum { LONGEST_NS = 200000, SHOTS = 2, LONGEST_RUN_NS = 1000000000 };

/* What the handler needs: it takes no argument of ours. */
static atomic_uint_fast64_t drawn;   /* random numbers so far */
static atomic_uint_fast64_t span_ns; /* how long a run takes */
static atomic_int shots;             /* left in this run */
static atomic_bool met;              /* another thread */
static timer_t callers_timer;

static uint64_t draw(void)
{
    return splitmix_hash(atomic_fetch_add_explicit(&drawn, SPLITMIX_STEP, memory_order_relaxed));
}

/* An entry of a folder, as the kernel writes it. opendir allocates, which a handler must not. */
typedef struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short bytes;
    unsigned char type;
    char name[];
} entry;

/* The number that a text begins with; 0 if it is none. */
static pid_t number_of(const char *text)
{
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (*text - '0');
    return number;
}

/* Sends the signal to half of the other threads. */
static void tell_others(void)
{
    _Alignas(entry) char entries[4096];
    const pid_t self = (pid_t)syscall(SYS_gettid), process = getpid();
    const int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long got;
    while (tasks >= 0 && (got = syscall(SYS_getdents64, tasks, entries, sizeof entries)) > 0)
        for (long at = 0; at < got;) {
            const entry *one = (const void *)(entries + at);
            const pid_t thread = number_of(one->name);
            const bool other = thread > 0 && thread != self;
            if (other)
                atomic_store(&met, true);
            if (other && draw() % 2)
                syscall(SYS_tgkill, process, thread, SIGNAL);
            at += one->bytes;
        }
    if (tasks >= 0)
        close(tasks);
}

static struct timespec time_of(double ns)
{
    enum { BILLION = 1000000000 };
    return (struct timespec){.tv_sec = (time_t)(ns / BILLION), .tv_nsec = (long)ns % BILLION};
}

/* Lets the timer signal once, at a moment of the next ns; 0: never. */
static void set_timer(timer_t timer, uint64_t ns)
{
    const struct itimerspec when = {
        .it_value = time_of(ns > 0 ? 1 + (double)ns * (double)(draw() >> 11) * 0x1p-53 : 0)};
    timer_settime(timer, 0, &when, NULL);
}

/* The thread that calls run seldom sleeps: a race comes out where others are late. */
static void wait_a_moment(bool calls_run)
{
    const uint64_t chance = draw();
    const struct timespec time = time_of((double)((chance >> 8) % LONGEST_NS));
    if (!calls_run || chance % 8 == 0)
        nanosleep(&time, NULL);
    else if (chance % 8 == 1)
        sched_yield();
}

static void on_signal(int number, siginfo_t *about, void *context)
{
    const int error = errno;
    (void)number;
    (void)context;
    const bool calls_run = about->si_code == SI_TIMER && about->si_value.sival_int == CALLER;
    if (calls_run)
        tell_others();
    wait_a_moment(calls_run);
    if (calls_run && atomic_fetch_sub(&shots, 1) > 1)
        set_timer(callers_timer, atomic_load(&span_ns));
    errno = error;
}

/* A timer that sends the signal to a thread. false where the system has none left. */
static bool create_timer(timer_t *timer_p, pid_t thread, int whose)
{
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL, .sigev_value.sival_int = whose};
    event._sigev_un._tid = thread;
    return timer_create(CLOCK_MONOTONIC, &event, timer_p) == 0;
}

static void delete_timers(delay *d)
{
    while (d->timer_count > 0)
        timer_delete(d->timers[--d->timer_count]);
}

void delay_begin(delay *d_p, uint64_t seed)
{
    delay d = {.works = false};
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    atomic_store(&drawn, splitmix_hash(seed + 1));
    atomic_store(&met, false);
    sigemptyset(&action.sa_mask);
    sigaction(SIGNAL, NULL, &d.before);
    const bool unused = d.before.sa_handler == SIG_DFL || d.before.sa_handler == SIG_IGN;
    if (unused && create_timer(&callers_timer, (pid_t)syscall(SYS_gettid), CALLER)) {
        d.works = sigaction(SIGNAL, &action, NULL) == 0;
        if (!d.works)
            timer_delete(callers_timer);
    }
    *d_p = d;
}

void delay_find_threads(delay *d)
{
    const pid_t self = (pid_t)syscall(SYS_gettid);
    DIR *tasks = d->works ? opendir("/proc/self/task") : NULL;
    delete_timers(d);
    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        const pid_t thread = number_of(task->d_name);
        if (thread > 0 && thread != self && d->timer_count < DELAY_THREADS &&
            create_timer(&d->timers[d->timer_count], thread, !CALLER))
            d->timer_count++;
    }
    if (tasks)
        closedir(tasks);
}

void delay_arm(const delay *d, double run_ns)
{
    if (!d->works)
        return;
    const uint64_t span = run_ns < LONGEST_RUN_NS ? (uint64_t)run_ns + 1 : LONGEST_RUN_NS;
    atomic_store(&span_ns, span);
    atomic_store(&shots, SHOTS);
    /* One thread for sure, and some of the others. */
    const size_t chosen = draw() % (d->timer_count + 1);
    for (size_t i = 0; i < d->timer_count; i++)
        if (i == chosen || draw() % 4 == 0)
            set_timer(d->timers[i], span);
    if (chosen == d->timer_count || draw() % 4 == 0)
        set_timer(callers_timer, span);
}

bool delay_met_threads(const delay *d)
{
    return d->timer_count > 0 || atomic_load(&met);
}

void delay_disarm(const delay *d)
{
    if (!d->works)
        return;
    atomic_store(&shots, 0);
    set_timer(callers_timer, 0);
    for (size_t i = 0; i < d->timer_count; i++)
        set_timer(d->timers[i], 0);
}

void delay_end(delay *d)
{
    const struct timespec last = time_of(2 * LONGEST_NS);
    if (!d->works)
        return;
    timer_delete(callers_timer);
    delete_timers(d);
    nanosleep(&last, NULL); /* for signals that are on their way */
    sigaction(SIGNAL, &d->before, NULL);
}
