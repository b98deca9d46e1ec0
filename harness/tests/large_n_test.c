/* large_n_test.c - the largest n by memory and time, for machines that are made up */
#include "proof/claim.h"
#include "tap.h"

#define HOST "of host memory"
#define DEVICE "of the device's memory"
#define TIME " s may be taken"
#define N " is above "
#define GIB (UINT64_C(1) << 30)

/* A plugin on the host that scans four bytes in 4 ns; 2^31 of them take 16 GiB and 8.6 s. */
static large_means host_with(uint64_t gib, double budget_s)
{
    return (large_means){.host_bytes = gib * GIB,
                         .host_arrays = 2,
                         .device_arrays = 2,
                         .element_bytes = 4,
                         .s_per_element = 4e-9,
                         .budget_s = budget_s};
}

/* bound: in what forbids the next step, or NULL. */
static void chooses(const large_means *m, uint64_t n, const char *bound, const char *name)
{
    char why[LARGE_WHY_BYTES];
    const uint64_t chosen = large_n_choose(m, why);
    ok(chosen == n && (bound ? strstr(why, bound) != NULL : *why == '\0'), "%s: %llu", name,
       (unsigned long long)chosen);
}

static void test_memory(void)
{
    large_means m = host_with(4, 0);
    chooses(&m, 0, HOST, "4 GiB are too little for 2^29 and what lies behind it");
    m = host_with(5, 0);
    chooses(&m, (UINT64_C(1) << 29) + LARGE_BEYOND, HOST, "5 GiB are enough");
    m = host_with(16, 0);
    chooses(&m, (UINT64_C(1) << 30) + LARGE_BEYOND, HOST, "16 GiB are too little for 2^31");
    m = host_with(17, 0);
    chooses(&m, (UINT64_C(1) << 31) + LARGE_BEYOND, HOST, "17 GiB are enough");
    m = host_with(64, 0);
    chooses(&m, (UINT64_C(1) << 32) + LARGE_BEYOND, NULL, "64 GiB take all steps");
    m.element_bytes = 8;
    chooses(&m, (UINT64_C(1) << 31) + LARGE_BEYOND, HOST, "8 bytes take twice as much");
    m = host_with(64, 0);
    m.device_bytes = 10 * GIB;
    chooses(&m, (UINT64_C(1) << 30) + LARGE_BEYOND, DEVICE, "a device may have less");
    m.device_bytes = UINT64_C(35) * GIB;
    m.host_bytes = 9 * GIB;
    m.host_arrays = 1;
    chooses(&m, (UINT64_C(1) << 31) + LARGE_BEYOND, HOST, "or the host");
}

static void test_others(void)
{
    large_means m = host_with(64, 10);
    chooses(&m, (UINT64_C(1) << 31) + LARGE_BEYOND, TIME, "10 s are enough for 2^31");
    m = host_with(64, 2);
    chooses(&m, 0, TIME, "2 s are enough for nothing");
    m = host_with(64, 0);
    m.most = 70000;
    chooses(&m, 0, N, "a limit below every step");
    m.most = UINT64_C(3) << 30;
    chooses(&m, (UINT64_C(1) << 31) + LARGE_BEYOND, N, "a limit between two");
    m = host_with(32, 0);
    ok(large_n_budget_s(&m) > 9, "a machine with room for 2^31 elements takes its time");
    m = host_with(5, 0);
    ok(large_n_budget_s(&m) < 3, "a smaller one does not");
    ok(large_n_within(1000, 10, 0.001, 0.5) == 500, "as much as fits into the time");
    ok(large_n_within(1000, 10, 0.001, 5) == 1000, "but no more than is wanted");
    ok(large_n_within(1000, 10, 1, 0.5) == 10, "nor less than is known");
}

static void says(const large_means *m, const char *expected)
{
    char why[LARGE_WHY_BYTES];
    large_n_choose(m, why);
    is_text(why, expected, "a reason");
}

static void test_text(void)
{
    large_means m = host_with(64, 0);
    says(&m, "");
    m = host_with(4, 0);
    says(&m, "n=536883201 needs 4.1 GiB of host memory, and 4.0 GiB of it may be used");
    m = host_with(64, 2);
    says(&m, "n=536883201 takes about 2 s, and 2 s may be taken (--max-n)");
    m.device_bytes = GIB;
    says(&m, "n=536883201 needs 4.0 GiB of the device's memory, and 1.0 GiB of it may be used");
    m.most = 5;
    says(&m, "n=536883201 is above 5 (--max-n, --mem-limit or max_n)");
}

int main(void)
{
    tap_plan(8 + 9 + 5);
    test_memory();
    test_others();
    test_text();
    return tap_done();
}
