/* baseline_times_test.c - medians are found by their keys, and by no other */
#include "output/baseline_times.h"
#include "tap.h"

#include <string.h>

static const ceiling_key key = {.backend = "cuda",
                                .device = "H200",
                                .threads = 2,
                                .parts = 1,
                                .dtype = SCAN_DTYPE_I32,
                                .n = 1000,
                                .phase = PHASE_RUN};

/* Looks up keys that differ in one field. */
static void test_other_keys(const baseline_times *s)
{
    ceiling_key others[8] = {key, key, key, key, key, key, key, key};
    static const char *const what[] = {"backend", "device", "count of fewer threads", "dtype", "n",
                                       "phase",   "cache",  "number of parts"};
    others[0].backend = "opencl";
    others[1].device = "P40";
    others[2].threads = 1;
    others[3].dtype = SCAN_DTYPE_U32;
    others[4].n = UINT64_C(1000) + (UINT64_C(1) << 32);
    others[5].phase = PHASE_E2E;
    others[6].cache = CACHE_COLD;
    others[7].parts = 2;
    for (size_t i = 0; i < 8; i++)
        ok(baseline_times_ceiling(s, &others[i]) == 0, "another %s has no ceiling", what[i]);
}

static void test_ceilings(baseline_times *s)
{
    ceiling_key device = key, kernel = key;
    device.phase = PHASE_DEVICE;
    kernel.phase = PHASE_KERNEL;
    ok(baseline_times_ceiling(s, &key) == 0, "without times there is nothing to compare with");
    ok(baseline_times_add_ceiling(s, &key, 50) == SCAN_OK && baseline_times_ceiling(s, &key) == 50,
       "a copy's median is found by its key");
    ok(baseline_times_add_ceiling(s, &key, 70) == SCAN_OK && baseline_times_ceiling(s, &key) == 50,
       "a slower one changes nothing");
    ok(baseline_times_add_ceiling(s, &key, 40) == SCAN_OK && baseline_times_ceiling(s, &key) == 40,
       "a faster one counts");
    test_other_keys(s);
    ceiling_key more = key;
    more.threads = 4000000000;
    ok(baseline_times_ceiling(s, &more) == 40, "a row with more threads is bounded by it, too");
    ok(baseline_times_ceiling(s, &device) == 40 && baseline_times_ceiling(s, &kernel) == 40,
       "device and kernel phases are compared with the copy's run where it has no device phase");
    baseline_times_add_ceiling(s, &device, 30);
    ok(baseline_times_ceiling(s, &device) == 30 && baseline_times_ceiling(s, &kernel) == 30,
       "and with its device phase where it has one");
    ok(baseline_times_ceiling(s, &key) == 40, "which run is not compared with");
}

/* A plugin's backend may have any length. */
static void test_long_backend(baseline_times *s)
{
    char backend[1000] = "";
    ceiling_key small = key, large = key;
    memset(backend, 'b', sizeof backend - 1);
    small.backend = large.backend = backend;
    large.n = 1000000;
    baseline_times_add_ceiling(s, &small, 5);
    ok(baseline_times_ceiling(s, &small) == 5 && baseline_times_ceiling(s, &large) == 0,
       "a long backend hides no other field");
}

static void test_baselines(baseline_times *s)
{
    static const baseline_key scan = {.dtype = SCAN_DTYPE_I32, .n = 1000};
    baseline_key others[] = {scan, scan, scan, scan, scan};
    size_t found = 0;
    others[0].dtype = SCAN_DTYPE_U32;
    others[1].op = SCAN_OP_MAX;
    others[2].kind = SCAN_KIND_INCLUSIVE;
    others[3].n = 1001;
    others[4].cache = CACHE_COLD;
    ok(baseline_times_baseline(s, &scan) == 0, "there is no baseline");
    baseline_times_add_baseline(s, &scan, 9);
    ok(baseline_times_baseline(s, &scan) == 9, "then there is");
    for (size_t i = 0; i < 5; i++)
        found += baseline_times_baseline(s, &others[i]) > 0;
    ok(found == 0, "for that type, size, operator, kind and state of the caches alone");
}

static void test_above_copy(void)
{
    ok(!baseline_times_beats_copy(100, 100), "as fast as the copy is not above it");
    ok(!baseline_times_beats_copy(101.9, 100), "nor is what noise explains");
    ok(baseline_times_beats_copy(102.1, 100), "more than 2 %% is");
    ok(!baseline_times_beats_copy(0, 100), "without a copy there is nothing to be above");
    ok(!baseline_times_beats_copy(200, 0), "and without an interval nothing is known");
}

/* Adds more medians than the first capacity. */
static void test_many(baseline_times *s)
{
    baseline_key scan = {.dtype = SCAN_DTYPE_I32};
    size_t wrong = 0;
    for (scan.n = 2000; scan.n < 2500; scan.n++)
        baseline_times_add_baseline(s, &scan, (double)scan.n);
    for (scan.n = 2000; scan.n < 2500; scan.n++)
        wrong += baseline_times_baseline(s, &scan) != (double)scan.n;
    ok(wrong == 0, "five hundred are told apart");
}

int main(void)
{
    baseline_times *s = baseline_times_new();
    tap_plan(4 + 8 + 1 + 3 + 1 + 3 + 1 + 5);
    test_ceilings(s);
    test_long_backend(s);
    test_baselines(s);
    test_many(s);
    test_above_copy();
    baseline_times_free(s);
    baseline_times_free(NULL);
    return tap_done();
}
