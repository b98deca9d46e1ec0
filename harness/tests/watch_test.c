/*
 * watch_test.c - what is read of the texts of /proc and of the message of a visit, and when rows
 * are flagged
 */
#include "output/warnings.h"
#include "protocol/visit.h"
#include "sweep/circumstances.h"
#include "system/machine_state.h"
#include "system/process_tree.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char stat_text[] = "cpu  100 20 30 1000 5 1 2 40 7 0\n"
                                "cpu0 60 10 10 500 5 1 0 30 7 0\n"
                                "cpu1 40 10 20 500 0 0 2 10 0 0\n"
                                "cpu10 1 1 1 1 1 1 1 1 0 0\n"
                                "intr 5 6 7\ncpu2 1 2 3 4 5 6 7 8\n";

static bool times_are(const char *stat, const char *pus, uint64_t total, uint64_t stolen)
{
    cpu_times t = {0};
    return cpu_times_read(stat, pus, &t) && t.total == total && t.stolen == stolen;
}

static void test_times(void)
{
    cpu_times t = {.total = 77};
    ok(times_are(stat_text, NULL, 1198, 40), "the first line is that of all processing units");
    ok(times_are(stat_text, "1", 582, 10), "one of them has its line, and not that of cpu10");
    ok(times_are(stat_text, "0-1", 1198, 40), "a range is added up");
    ok(times_are(stat_text, "0,10", 624, 31), "so is a list");
    ok(!cpu_times_read(stat_text, "2", &t) && t.total == 77,
       "what stands below other lines is not read");
    ok(!cpu_times_read(stat_text, "4-9", &t) && !cpu_times_read(stat_text, "", &t) &&
           !cpu_times_read(stat_text, "one", &t) && !cpu_times_read("", NULL, &t) &&
           !cpu_times_read("cpu  1 2 3\n", NULL, &t),
       "nothing is known without a line, and of one that is cut short");
}

static void test_load(void)
{
    double load = 77;
    ok(machine_load_read("0.25 1.50 2.00 3/133 25191\n", &load) && load == 0.25,
       "the load is that of the last minute");
    ok(!machine_load_read("", &load) && !machine_load_read("nan 1 1", &load) &&
           !machine_load_read("-1 1 1", &load) && load == 0.25,
       "anything else is none");
}

static unsigned clock_of(const char *text, unsigned pu)
{
    char *copy = strdup(text);
    FILE *info = fmemopen(copy, strlen(copy), "r");
    const unsigned mhz = info ? cpu_clock_from_info(info, pu) : 12345;
    if (info)
        fclose(info);
    free(copy);
    return mhz;
}

#define RECORD(pu, mhz, flags)                                                                     \
    "processor\t: " pu "\nmodel name\t: A B\ncpu MHz\t\t: " mhz "\nflags\t\t: fpu " flags " sse\n" \
    "\n"

static void test_clock(void)
{
    static const char measured[] =
        RECORD("0", "1200.4", "aperfmperf") RECORD("1", "3399.6", "aperfmperf");
    ok(clock_of(measured, 0) == 1200 && clock_of(measured, 1) == 3400,
       "each processing unit has its clock, rounded");
    ok(clock_of(measured, 2) == 0 && clock_of("processor\t: 0\n", 0) == 0,
       "one that is not listed has none, nor has one without MHz");
    ok(clock_of(RECORD("0", "2596.142", "tsc"), 0) == 0,
       "a clock that no counter measures is a constant, and left out");
}

static void test_settings(void)
{
    is_text(cpu_setting_word("1\n", 0), "on", "1 is on");
    is_text(cpu_setting_word("0\n", 0), "off", "0 is off");
    is_text(cpu_setting_word("1\n", 1), "off", "no_turbo=1: turbo is off");
    is_text(cpu_setting_word("2\n", 0), "on", "2, of randomize_va_space, is on");
    ok(!*cpu_setting_word(NULL, 1) && !*cpu_setting_word("", 1) && !*cpu_setting_word("N/A\n", 0),
       "anything else is unknown");
}

static void test_processes(void)
{
    ok(process_parent_read("12 (a) R 3 12 12 0") == 3 &&
           process_parent_read("12 (a) S 99 (b) R 7 12") == 7 && process_parent_read("12 a") == -1,
       "the parent stands behind the last bracket of the name");
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    ok(process_tree_descends(child, getpid()) && process_tree_descends(getpid(), getpid()) &&
           process_tree_descends(child, getppid()),
       "a child descends from its parents");
    ok(!process_tree_descends(getppid(), getpid()) && !process_tree_descends(getpid(), child) &&
           !process_tree_descends(-1, getpid()) && !process_tree_descends(0, getpid()),
       "and nobody from a child");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* What is read of a message, or NULL. */
static const watch *read_line(const char *line)
{
    static watch seen;
    static char copy[256];
    protocol_message m;
    snprintf(copy, sizeof copy, "%s", line);
    return message_parse(copy, &m) && watch_read(&m, &seen) ? &seen : NULL;
}

#define COUNTS "watch\tns=1e6\tswitches=2\tfaults=3"

static void test_message(void)
{
    const watch *w = read_line(COUNTS "\tgpu_mhz=1755\tgpu_throttle=5");
    ok(w && w->ns == 1e6 && w->switches == 2 && w->faults == 3 &&
           w->values[WATCH_GPU_MHZ].value == 1755 && w->values[WATCH_GPU_THROTTLE].value == 5 &&
           w->values[WATCH_GPU_THROTTLE].known && !w->values[WATCH_CPU_MHZ].known,
       "a message has what was known");
    ok(!read_line("watch\tns=1\tswitches=2") && !read_line("watch\tns=-1\tswitches=2\tfaults=3") &&
           !read_line("watch\tns=inf\tswitches=2\tfaults=3") &&
           !read_line(COUNTS "\tgpu_throttle=16") && !read_line(COUNTS "\tcpu_mhz=fast") &&
           !read_line(COUNTS "\tgpu_processes=99999999999"),
       "one that is malformed is refused");
    char text[THROTTLE_TEXT_BYTES];
    is_text(throttle_text(0, text), "none", "no bit is no reason");
    is_text(throttle_text(15, text), "power_cap;hw_slowdown;thermal;power_brake",
            "all reasons have room");
}

/* `visits` visits of a millisecond, all alike. */
static circumstances seen(unsigned visits, const watch *one)
{
    circumstances c = {.cpus = 4};
    for (unsigned i = 0; i < visits; i++)
        circumstances_add(&c, one);
    return c;
}

static void test_busy(void)
{
    circumstances c = {.visits = 40, .switches = 400, .cpus = 4, .has_load = true, .load = 9};
    ok(!circumstances_are(&c, FLAG_BUSY),
       "neither switches nor the load of the last minute say that others ran beside the rounds");
    c.others = 0.2;
    ok(!circumstances_are(&c, FLAG_BUSY), "others may have a fifth of a core");
    c.others = 0.21;
    ok(circumstances_are(&c, FLAG_BUSY), "and no more of the plugin's");
    c.others = 0;
    c.others_anywhere = 2;
    ok(!circumstances_are(&c, FLAG_BUSY), "they may have half of the machine");
    c.others_anywhere = 2.1;
    ok(circumstances_are(&c, FLAG_BUSY), "and no more");
    c.others_anywhere = 0;
    c.has_steal = true;
    c.steal_pct = 1.5;
    ok(circumstances_are(&c, FLAG_BUSY), "1.5 %% of stolen time are too much");
}

/* Four units in 100 ticks: the second has been busy in 40 of them. */
#define STAT_BEFORE "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n"
#define STAT_AFTER \
    "cpu  80 0 10 110 0 0 0 0 0 0\ncpu0 40 0 10 50 0 0 0 0 0 0\ncpu1 40 0 0 60 0 0 0 0 0 0\n"

static bool is_near(double value, double expected)
{
    return fabs(value - expected) < 0.01;
}

/* The hardware threads of the core of each unit, as the system tells them. */
static const char *const siblings[] = {[0] = "0,8\n", [1] = "1,9\n", [8] = "0,8\n"};

/* Writes them into the folder, or removes them. */
static void tell_siblings(const char *folder, bool writes)
{
    for (size_t pu = 0; pu < sizeof siblings / sizeof *siblings; pu++) {
        char unit[256], topology[280], path[320];
        snprintf(unit, sizeof unit, "%s/cpu%zu", folder, pu);
        snprintf(topology, sizeof topology, "%s/topology", unit);
        snprintf(path, sizeof path, "%s/thread_siblings_list", topology);
        FILE *file = siblings[pu] && writes && mkdir(unit, 0700) == 0 && mkdir(topology, 0700) == 0
                         ? fopen(path, "w")
                         : NULL;
        if (file) {
            fputs(siblings[pu], file);
            fclose(file);
        }
        if (siblings[pu] && !writes &&
            (unlink(path) != 0 || rmdir(topology) != 0 || rmdir(unit) != 0))
            printf("# %s is not removed\n", unit);
    }
}

/* Whose cores 0 and 1 have two hardware threads each, and of the third of which nothing is known.
 */
static void test_cores(void)
{
    const char *place = getenv("TMPDIR");
    char folder[200], text[8];
    snprintf(folder, sizeof folder, "%s/cores_XXXXXX", place ? place : "/tmp");
    ok(mkdtemp(folder) != NULL, "there is a folder");
    tell_siblings(folder, true);
    ok(cpu_list_of_cores("1", folder, text, sizeof text) && strcmp(text, "1,9") == 0,
       "a core's other hardware thread is found");
    ok(cpu_list_of_cores("0,1,8", folder, text, sizeof text) && strcmp(text, "0,8,1,9") == 0,
       "each once");
    ok(cpu_list_of_cores("5", folder, text, sizeof text) && strcmp(text, "5") == 0,
       "a unit of which nothing is known stands for its core");
    ok(!cpu_list_of_cores("", folder, text, sizeof text) &&
           !cpu_list_of_cores("0-1,5", folder, text, sizeof text),
       "no unit, and more than fit, are none");
    tell_siblings(folder, false);
    ok(rmdir(folder) == 0, "the folder is empty again");
}

static void test_others(void)
{
    const double tick_ns = 1e9 / (double)sysconf(_SC_CLK_TCK);
    const double noise = 2 * sqrt(40 * 0.6) / 100;
    ok(is_near(others_on(STAT_BEFORE, STAT_AFTER, "1", 0), 0.4 - noise),
       "what others had of a core is what was busy, less two standard errors");
    ok(is_near(others_on(STAT_BEFORE, STAT_AFTER, "1", 10 * tick_ns), 0.3 - noise),
       "less what the workers had");
    ok(others_on(STAT_BEFORE, STAT_AFTER, "1", 40 * tick_ns) <= 0 &&
           others_on(STAT_BEFORE, STAT_AFTER, "1", 80 * tick_ns) <= 0,
       "nothing is left where they had all");
    ok(is_near(others_on(STAT_BEFORE, STAT_AFTER, "0-1", 0), 0.9 - 2 * sqrt(90 * 0.55) / 100),
       "of two cores it is the sum");
    ok(others_on(STAT_AFTER, STAT_AFTER, "1", 0) <= 0 && others_on(NULL, STAT_AFTER, "1", 0) <= 0 &&
           others_on(STAT_AFTER, STAT_BEFORE, "1", 0) <= 0,
       "too few ticks, no text and a clock that runs back say nothing");
}

static void test_remarks(void)
{
    watch one = {.ns = 1e6, .faults = 2};
    watch_set(&one, WATCH_GPU_MHZ, 1500);
    watch_set(&one, WATCH_GPU_THROTTLE, 0);
    watch_set(&one, WATCH_GPU_PROCESSES, 0);
    circumstances c = seen(20, &one);
    ok(!circumstances_are(&c, FLAG_FAULTS) && !circumstances_are(&c, FLAG_THROTTLED) &&
           !circumstances_are(&c, FLAG_GPU_SHARED),
       "two faults a visit and a GPU at ease are no remark");
    watch_set(&one, WATCH_GPU_THROTTLE, 1u << THROTTLE_THERMAL);
    watch_set(&one, WATCH_GPU_MHZ, 2000);
    one.faults = 60;
    circumstances_add(&c, &one);
    ok(circumstances_are(&c, FLAG_FAULTS) && !circumstances_are(&c, FLAG_THROTTLED),
       "one slow visit of 21 is no remark either, but its faults are");
    watch_set(&one, WATCH_GPU_PROCESSES, 1);
    circumstances_add(&c, &one);
    circumstances_add(&c, &one);
    ok(circumstances_are(&c, FLAG_THROTTLED) && circumstances_are(&c, FLAG_GPU_SHARED),
       "three are, and so is one other process");
    ok(circumstances_mean(&c, WATCH_GPU_MHZ) == 1565 && circumstances_mean(&c, WATCH_CPU_MHZ) == 0,
       "a clock is the mean over visits, 0 if unknown");
    watch_set(&one, WATCH_GPU_MHZ, UINT32_MAX);
    ok(one.values[WATCH_GPU_MHZ].value == 2000, "a value that no message carries is not kept");
}

/* One visit of threads on cores. */
static circumstances on_cores(uint32_t threads, uint32_t cores, uint32_t asked)
{
    watch one = {.ns = 1e6};
    watch_set(&one, WATCH_THREADS, threads);
    watch_set(&one, WATCH_CORES, cores);
    watch_set(&one, WATCH_CORES_ASKED, asked);
    return seen(3, &one);
}

static bool lacks_cores(uint32_t threads, uint32_t cores, uint32_t asked)
{
    const circumstances c = on_cores(threads, cores, asked);
    return circumstances_are(&c, FLAG_THREADS);
}

static void test_threads(void)
{
    char text[WARNING_BYTES];
    warnings w = {0};
    ok(!lacks_cores(1, 1, 0) && !lacks_cores(2, 2, 0) && !lacks_cores(3, 2, 0),
       "one thread on one core is no remark, nor are three on two");
    ok(lacks_cores(2, 1, 0) && lacks_cores(4, 2, 0), "twice as many threads as cores are");
    ok(lacks_cores(1, 1, 1) && !lacks_cores(2, 2, 1),
       "and so is a question for cores where there is one");
    const circumstances unknown = seen(3, &(watch){.ns = 1});
    ok(!circumstances_are(&unknown, FLAG_THREADS), "nothing is known of a device");
    const plugin_info plugin = {.id = (char[]){"pool"}};
    const session one = {.plugin = &plugin};
    measurement m = {.session = &one, .circumstances = on_cores(1, 1, 0), .phase_count = 1};
    warnings_add(&w, &m);
    m.circumstances = on_cores(8, 1, 0);
    warnings_add(&w, &m);
    is_text(
        warnings_text(&w, FLAG_THREADS, text),
        "1 of 2 configurations would use more cores than they have, flagged threads (pool: 8 "
        "threads on 1 core); a plugin has one core unless a tunable with SCAN_TUNABLE_THREADS (in "
        "a peer CPU_PEER_THREADS) asks for more",
        "a warning names the first plugin, its threads and its cores");
    w = (warnings){0};
    m.circumstances = on_cores(1, 1, 1);
    warnings_add(&w, &m);
    warnings_text(&w, FLAG_THREADS, text);
    ok(strstr(text, "(pool: asks how many cores it may use, and has 1)") != NULL,
       "and one that asked");
}

static void test_warnings(void)
{
    char text[WARNING_BYTES];
    warnings w = {0};
    watch one = {.ns = 1e6};
    watch_set(&one, WATCH_GPU_THROTTLE, 1u << THROTTLE_POWER_CAP);
    measurement m = {.circumstances = seen(3, &one), .phase_count = 1};
    warnings_add(&w, &m);
    m.result.status = ROW_CRASHED;
    warnings_add(&w, &m);
    m = (measurement){.circumstances = seen(3, &(watch){.ns = 1}), .phase_count = 1};
    warnings_add(&w, &m);
    is_text(warnings_text(&w, FLAG_THROTTLED, text),
            "the GPU lowered its clock during 1 of 2 configurations, flagged throttled (power_cap)",
            "a warning counts what was measured");
    is_text(warnings_text(&w, FLAG_BUSY, text), "", "what did not happen has none");
}

static void test_binding(void)
{
    char pus[16];
    test_cores();
    is_text(group_watch_pus("core:1 pu:3 node:0", pus, sizeof pus), "3", "the unit of a core");
    is_text(group_watch_pus("pu:0-3,8 node:0", pus, sizeof pus), "0-3,8", "those of several");
    ok(!group_watch_pus("any", pus, sizeof pus) && !group_watch_pus("pu:", pus, sizeof pus) &&
           !group_watch_pus("pu:0,2,4,6,8,10,12,14", pus, sizeof pus),
       "without a binding, or with one that is too long, there are none");
}

int main(void)
{
    tap_plan(6 + 6 + 2 + 3 + 5 + 3 + 4 + 6 + 5 + 5 + 2 + 3 + 6);
    test_times();
    test_load();
    test_clock();
    test_settings();
    test_processes();
    test_message();
    test_busy();
    test_others();
    test_remarks();
    test_warnings();
    test_threads();
    test_binding();
    return tap_done();
}
