/* physics_test.c - a time in which no processor moves the bytes of its scan is an error, and one
 * that the fastest could reach is not */
#include "sweep/physics.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 1000000, BYTES = 2 * 4 * N };

/* A chain of the spin on a core of 4 GHz. */
#define CHAIN_NS (0.25 * PHYSICS_MULTIPLICATION_CYCLES * SPIN_MULTIPLICATIONS)

typedef struct measured {
    plugin_info plugin;
    session session;
    configuration configuration;
    double chains[3];
    measurement m;
} measured;

static void begin(measured *p, bool on_device)
{
    memset(p, 0, sizeof *p);
    p->plugin.device_memory = on_device;
    p->session.plugin = &p->plugin;
    p->configuration.job = (job){.dtype = SCAN_DTYPE_I32, .n = N};
    p->chains[0] = 2 * CHAIN_NS; /* a moment of half the clock */
    p->chains[1] = CHAIN_NS;
    p->chains[2] = NAN;
    p->m = (measurement){.session = &p->session,
                         .configuration = &p->configuration,
                         .result = {.status = ROW_OK},
                         .spins = {.count = 3, .chain_ns = p->chains}};
}

static void add(measured *p, phase_kind kind, double median_ns)
{
    measurement_phase *one = &p->m.phases[p->m.phase_count++];
    one->name.kind = kind;
    one->interval.median = median_ns;
}

static row_status judged(bool on_device, phase_kind kind, double median_ns)
{
    measured p;
    begin(&p, on_device);
    add(&p, PHASE_RUN, 1e9);
    if (kind != PHASE_RUN)
        add(&p, kind, median_ns);
    else
        p.m.phases[0].interval.median = median_ns;
    physics_judge(&p.m);
    return p.m.result.status;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * b;
}

static void test_least(void)
{
    measured p;
    const double core_ns = BYTES / PHYSICS_BYTES_PER_CYCLE * 0.25;
    begin(&p, false);
    ok(near(physics_least_ns(&p.m), core_ns), "a core's bound follows from the shortest spin");
    p.configuration.threads = 8;
    ok(near(physics_least_ns(&p.m), core_ns / 8), "and that of threads from as many cores");
    p.configuration.job.dtype = SCAN_DTYPE_F64;
    ok(near(physics_least_ns(&p.m), 2 * core_ns / 8), "elements have bytes");
    p.configuration.parts = 2;
    ok(near(physics_least_ns(&p.m), core_ns / 8), "parts work side by side");
    p.m.spins.count = 0;
    p.configuration.threads = p.configuration.parts = 0;
    ok(near(physics_least_ns(&p.m), 2 * BYTES / PHYSICS_DEVICE_BYTES_PER_NS),
       "without a spin a device's bound stands");
    begin(&p, true);
    ok(near(physics_least_ns(&p.m), BYTES / PHYSICS_DEVICE_BYTES_PER_NS),
       "a device's bound needs no spin");
}

static void test_judgement(void)
{
    measured p;
    const double core_ns = BYTES / PHYSICS_BYTES_PER_CYCLE * 0.25;
    const double device_ns = BYTES / PHYSICS_DEVICE_BYTES_PER_NS;
    is_text(row_status_word(judged(false, PHASE_RUN, 0.99 * core_ns)), "error",
            "a run below the bound is an error");
    is_text(row_status_word(judged(false, PHASE_RUN, 1.01 * core_ns)), "ok", "one above it is not");
    is_text(row_status_word(judged(true, PHASE_DEVICE, 0.99 * device_ns)), "error",
            "so is a device's time, though the run is slow");
    is_text(row_status_word(judged(true, PHASE_DEVICE, 1.01 * device_ns)), "ok",
            "and one above it is not");
    begin(&p, false);
    add(&p, PHASE_RUN, 1);
    p.m.result.status = ROW_WRONG;
    physics_judge(&p.m);
    is_text(row_status_word(p.m.result.status), "wrong", "what is wrong stays so");
}

/* A time on the device that leaves most of the run unexplained. */
static void test_flag(void)
{
    static const struct {
        double run_ns, device_ns;
        bool flagged;
        const char *name;
    } cases[] = {{1e7, 5e6, true, "half of a long run is flagged"},
                 {1e7, 9e6, false, "nine tenths are not"},
                 {1.5e5, 1e4, false, "nor is what a launch takes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        measured p;
        begin(&p, true);
        add(&p, PHASE_RUN, cases[i].run_ns);
        add(&p, PHASE_DEVICE, cases[i].device_ns);
        physics_judge(&p.m);
        ok((strstr(p.m.result.flags, "device_below_run") != NULL) == cases[i].flagged, "%s",
           cases[i].name);
    }
}

int main(void)
{
    tap_plan(14);
    test_least();
    test_judgement();
    test_flag();
    return tap_done();
}
