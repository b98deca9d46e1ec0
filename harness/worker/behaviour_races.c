/*
 * behaviour_races.c - many runs on one instance, each with another input and compared in full,
 * while threads are moved to other cores and delayed
 *
 * A race that is right by chance most of the time is wrong in a share p of the runs. `repeat` of
 * the job runs find it with the probability 1 - (1 - p)^repeat; moving and delaying threads makes p
 * larger. A new input for each run keeps what an earlier run left in scratch from being right
 * again.
 */
#include "problem/splitmix.h"
#include "system/clock.h"
#include "worker/behaviour.h"
#include "worker/process_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- moved --------------------------------------------------------------------- */

/* Puts each thread on `units`, or if that is NULL on one of `all` of its own. A thread that run
 * starts goes where the calling thread is. The system may refuse; then the thread stays where it
 * is. */
static void move(const cpu_set_t *all, const cpu_set_t *units, uint64_t random)
{
    pid_t threads[PROCESS_STATE_THREADS];
    size_t count = process_state_others(threads, PROCESS_STATE_THREADS - 1);
    threads[count++] = 0; /* this one */
    for (size_t i = 0; i < count; i++) {
        cpu_set_t own;
        if (topology_pick_unit(all, splitmix_next(&random), &own))
            sched_setaffinity(threads[i], sizeof own, units ? units : &own);
    }
}

/* ---- delayed ------------------------------------------------------------------- */

enum { DELAY_THREADS = 32 };

/*
 * Timers interrupt the threads at random moments of a run, and the signal's handler sleeps or
 * yields. The calling thread's handler also sends the signal on to half of the others, because run
 * may have started some that have no timer. A program under a sampling profiler gets such signals
 * too: they restart system calls that can be restarted.
 */
typedef struct delay {
    bool works; /* false: the other functions do nothing */
    struct sigaction before;
    timer_t timers[DELAY_THREADS]; /* of the other threads */
    size_t timer_count;
} delay;

/* Ignored by default, never queued twice, and of no use to a scan. */
enum { SIGNAL = SIGURG };

/* The value of the signals of its timer. */
enum { CALLER = 1 };

/* The longest delay, but for a few runs whose delays outlast threads that give up waiting; and how
 * often a run is interrupted. */
enum { LONGEST_NS = 200000, SHOTS = 2, LONGEST_RUN_NS = 1000000000 };

/* What the handler needs: it takes no argument of ours. */
static atomic_uint_fast64_t drawn;   /* random numbers so far */
static atomic_uint_fast64_t span_ns; /* how long a run takes */
static atomic_uint_fast64_t most_ns; /* the longest delay */
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

/* The thread that calls run seldom sleeps: a race comes out where others are late. A very long
 * delay is never short. */
static void wait_a_moment(bool calls_run)
{
    const uint64_t chance = draw(), most = atomic_load(&most_ns);
    const uint64_t least = most > LONGEST_NS ? most - LONGEST_NS : 0;
    const uint64_t one_in = most > LONGEST_NS ? 2 : 8;
    const struct timespec time = time_of((double)(least + (chance >> 8) % (most - least)));
    if (!calls_run || chance % one_in == 0)
        nanosleep(&time, NULL);
    else if (chance % one_in == 1)
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

/* Installs the handler, unless the plugin uses the signal. `seed` decides the moments. */
static void delay_begin(delay *d_p, uint64_t seed)
{
    delay d = {.works = false};
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    atomic_store(&drawn, splitmix_hash(seed + 1));
    atomic_store(&met, false);
    atomic_store(&most_ns, LONGEST_NS);
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

/* Looks which threads there are between runs: those get timers of their own. */
static void delay_find_threads(delay *d)
{
    pid_t others[DELAY_THREADS];
    const size_t count = d->works ? process_state_others(others, DELAY_THREADS) : 0;
    delete_timers(d);
    for (size_t i = 0; i < count; i++)
        if (create_timer(&d->timers[d->timer_count], others[i], !CALLER))
            d->timer_count++;
}

/* Right before a run that takes about run_ns. */
static void delay_arm(const delay *d, double run_ns)
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

/* Were there other threads than the calling one, now or during a run that was armed? */
static bool delay_met_threads(const delay *d)
{
    return d->timer_count > 0 || atomic_load(&met);
}

static void delay_disarm(const delay *d)
{
    if (!d->works)
        return;
    atomic_store(&shots, 0);
    set_timer(callers_timer, 0);
    for (size_t i = 0; i < d->timer_count; i++)
        set_timer(d->timers[i], 0);
}

static void delay_end(delay *d)
{
    const struct timespec last = time_of(2 * LONGEST_NS);
    if (!d->works)
        return;
    timer_delete(callers_timer);
    delete_timers(d);
    nanosleep(&last, NULL); /* for signals that are on their way */
    sigaction(SIGNAL, &d->before, NULL);
}

/* ---- races --------------------------------------------------------------------- */

/* How the threads are treated, in turns of this many runs, of which every second delays them. Where
 * no other thread was seen in the first of those, there is none to delay. */
typedef enum treatment { ANYWHERE, ON_ONE_CORE, APART, DELAYED, TREATMENTS } treatment;
enum { TURN = 16, SURE_TURNS = 16 };

static const fault_place places[TREATMENTS] = {[ANYWHERE] = FAULT_AT_LATER_RUN,
                                               [ON_ONE_CORE] = FAULT_AT_ONE_CORE,
                                               [APART] = FAULT_AT_MOVED,
                                               [DELAYED] = FAULT_AT_DELAYED};

typedef struct racing {
    trial *t;
    treatment how;
    delay delay;
    cpu_set_t before; /* where the calling thread was */
    cpu_set_t all;    /* the units that this process may use */
    double run_ns; /* how long a run takes that is left alone: about the median of the last ones */
} racing;

static treatment treatment_of(const racing *r, uint32_t run)
{
    const uint32_t turn = run / TURN;
    const bool delays = turn < SURE_TURNS || delay_met_threads(&r->delay);
    return turn % 2 && delays ? DELAYED : (treatment)(turn / 2 % DELAYED);
}

static bool run_treated(racing *r)
{
    const double step = 1.25, start = clock_now_ns();
    if (r->how == DELAYED)
        delay_arm(&r->delay, r->run_ns);
    const bool good = trial_run(r->t);
    const double ns = clock_now_ns() - start;
    if (r->how == DELAYED)
        delay_disarm(&r->delay);
    else if (r->how == ANYWHERE)
        r->run_ns = r->run_ns > 0 ? r->run_ns * (ns > r->run_ns ? step : 1 / step) : ns;
    return good;
}

static bool compare_treated(racing *r, const input_spec *spec)
{
    return trial_prepare_silently(r->t, spec) && run_treated(r) &&
           trial_compare_output(r->t, spec, NULL, places[r->how]);
}

/* The threads go to one core, each to one of its own, or anywhere. */
static void treat(racing *r, treatment how, uint64_t turn)
{
    const uint64_t random = r->t->job->seed + turn;
    cpu_set_t units = r->all;
    if (how == ON_ONE_CORE)
        topology_pick_unit(&r->all, splitmix_hash(random), &units);
    move(&r->all, how == APART ? NULL : &units, random);
    if (how == DELAYED)
        delay_find_threads(&r->delay);
    r->how = how;
}

static void race(racing *r)
{
    const job *j = r->t->job;
    const double start = clock_now_ns();
    for (uint32_t i = 0; i < j->run.repeat; i++) {
        input_spec spec = job_input(j, j->run.pattern);
        spec.seed += i + 1;
        if (i > 0 && i % TURN == 0) { /* at first they are where the plugin has put them */
            treat(r, treatment_of(r, i), i / TURN);
        }
        r->t->runs = i + 1;
        if (!compare_treated(r, &spec))
            return;
        trial_show_life(r->t, STEP_RUN);
        if (clock_now_ns() - start > j->time_limit_s * 1e9)
            return;
    }
}

/* A few runs in which threads are delayed for very long, if there are any. */
static void race_the_patient(racing *r)
{
    enum { ONE_IN = 500 };
    const job *j = r->t->job;
    const uint32_t times = j->run.repeat / ONE_IN;
    if (times == 0 || !trial_is_good(r->t) || !delay_met_threads(&r->delay))
        return;
    treat(r, DELAYED, 0);
    atomic_store(&most_ns, BEHAVE_DELAY_NS);
    for (uint32_t i = 0; i < times; i++) {
        input_spec spec = job_input(j, j->run.pattern);
        spec.seed -= i + 1;
        r->t->runs += r->t->runs < j->run.repeat;
        if (!compare_treated(r, &spec))
            break;
        trial_show_life(r->t, STEP_RUN);
    }
    atomic_store(&most_ns, LONGEST_NS);
}

void behave_races(trial *t)
{
    racing r = {.t = t, .run_ns = 0};
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    t->holds = HOLDS_BUFFERS;
    trial_step(t, STEP_RUN);
    r.all = topology_units(t->host->machine);
    sched_getaffinity(0, sizeof r.before, &r.before);
    delay_begin(&r.delay, t->job->seed);
    race(&r);
    race_the_patient(&r);
    delay_end(&r.delay);
    treat(&r, ANYWHERE, 0);
    sched_setaffinity(0, sizeof r.before, &r.before);
}

bool behave_delayed_run(trial *t, double run_ns)
{
    racing r = {.t = t, .how = DELAYED, .run_ns = run_ns};
    delay_begin(&r.delay, t->job->seed + (uint64_t)clock_now_ns());
    atomic_store(&most_ns, BEHAVE_DELAY_NS);
    delay_find_threads(&r.delay);
    const bool good = run_treated(&r);
    delay_end(&r.delay);
    return good;
}

/* ---- many runs --------------------------------------------------------------- */

/* More runs of one instance than a counter of 8 to 18 bits can tell apart.
 *
 * Algorithms tag what a run leaves in scratch with the number of the run. Where the tag is too
 * narrow, the run whose number comes around takes what an old one left. So do those that have a
 * ring of some places for it. The first runs are compared, those around powers of two, and some
 * between, so that the others are quick. */
static bool is_compared(uint64_t run)
{
    enum { FIRST = 1 << 13, AROUND = 8, NOW_AND_THEN = 1021 };
    uint64_t power = FIRST;
    while (power + AROUND < run)
        power *= 2;
    return run < FIRST || run + AROUND >= power || run % NOW_AND_THEN == 0;
}

/* Compares one run, with an input that no run before had. */
static bool compare_run(trial *t, uint64_t run, fault_place place)
{
    input_spec spec = job_input(t->job, t->job->run.pattern);
    spec.seed += run;
    return trial_compare_silently(t, &spec, place);
}

/* Did runs leave much behind, which many would take from everybody? The claim about leaks says so;
 * this one ends before memory, names or descriptors run out. */
static bool left_much(const process_state_usage *before)
{
    enum { MANY = 32, MANY_BYTES = 1 << 26 };
    process_state_usage now;
    process_state_measure(&now);
    bool much = now.held[HELD_MAPPED_BYTES] > before->held[HELD_MAPPED_BYTES] + MANY_BYTES;
    for (int i = 0; i < HELD_COUNTED; i++)
        much |= now.held[i] > before->held[i] + MANY;
    for (int i = 0; i < PROCESS_STATE_FOLDERS; i++)
        much |= now.files[i] > before->files[i] + MANY;
    return much;
}

void behave_wraps(trial *t)
{
    enum { FIRST_COUNT = 64, COUNT_EACH = 4096, LOOK_EACH = 512, ON_BUSY = 6 };
    enum { PAUSE_NS = 350000000 };
    process_state_usage before;
    const double limit_ns = t->job->time_limit_s * 1e9, start = clock_now_ns();
    const double used_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (!trial_begin(t) || !trial_check(t, t->job->run.pattern, 1))
        return;
    t->holds = HOLDS_BUFFERS;
    trial_step(t, STEP_RUN);
    process_state_measure(&before);
    for (uint32_t run = 2; run <= t->job->run.repeat; run++) { /* trial_check made the first */
        t->runs = run;
        if (is_compared(run) ? !compare_run(t, run, FAULT_AT_LATER_RUN) : !trial_run(t))
            return;
        if (clock_now_ns() - start > ON_BUSY * limit_ns ||
            (run % LOOK_EACH == 0 &&
             clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - used_ns > limit_ns) ||
            ((run == FIRST_COUNT || run % COUNT_EACH == 0) && left_much(&before)))
            break;
        trial_show_life(t, STEP_RUN);
    }
    /* Threads that wait for work may have stopped waiting. */
    clock_sleep_ns(PAUSE_NS);
    compare_run(t, 0, FAULT_AT_PAUSE);
}
