#include "worker/frozen.h"

#include "protocol/job.h"
#include "protocol/visit.h"
#include "system/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the three pieces of work -------------------------------------------------- */

/* Aligned, and never compiled into its caller. */
#define FROZEN __attribute__((aligned(64), noinline))

/* Keeps the compiler from computing ahead what the loop is there to wait for. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

typedef uint32_t four __attribute__((vector_size(16)));

FROZEN void frozen_scan(const uint32_t *from, uint32_t *to, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t next = sum + from[i];
        to[i] = sum;
        sum = next;
        OPAQUE(sum);
    }
}

FROZEN void frozen_copy(const uint32_t *from, uint32_t *to, size_t n)
{
    const size_t each = sizeof(four) / sizeof *from;
    size_t i = 0;
    for (; i + each <= n; i += each) {
        four part;
        memcpy(&part, from + i, sizeof part);
        memcpy(to + i, &part, sizeof part);
    }
    for (; i < n; i++)
        to[i] = from[i];
}

/* Each multiplication waits for the one before: its time follows the frequency of the core alone.
 */
FROZEN static uint64_t frozen_chain(uint64_t x)
{
    x |= 1;
    for (int i = 0; i < SPIN_MULTIPLICATIONS; i++) {
        x *= x;
        OPAQUE(x);
    }
    return x;
}

/* ---- the spin ------------------------------------------------------------------ */

enum { TRIES = 3 };

double spin_take_ns(void)
{
    uint64_t kept = 3;
    double best = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        const double start = clock_now_ns();
        kept = frozen_chain(kept);
        best = fmin(best, clock_now_ns() - start);
    }
    __asm__ volatile("" : : "r"(kept));
    return best;
}

/* ---- the calibrators as plugins ------------------------------------------------ */

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin, (void)context;
    uint64_t *n = malloc(sizeof *n);
    if (!n)
        return host->fail(host, SCAN_NO_MEMORY, "malloc");
    *n = problem->n * problem->element_bytes / sizeof(uint32_t);
    *self_p = n;
    return SCAN_OK;
}

static scan_status run_scan(void *self, scan_buffer in, scan_buffer out)
{
    frozen_scan(scan_host_pointer(in), scan_host_pointer(out), *(const uint64_t *)self);
    return SCAN_OK;
}

static scan_status run_copy(void *self, scan_buffer in, scan_buffer out)
{
    frozen_copy(scan_host_pointer(in), scan_host_pointer(out), *(const uint64_t *)self);
    return SCAN_OK;
}

static void destroy(void *self)
{
    free(self);
}

#define COMMON                                                                                 \
    .struct_size = sizeof(scan_plugin), .name = "calibrator", .version = "1", .reference = "", \
    .backend = CALIBRATOR_BACKEND, .create = create, .destroy = destroy

static const scan_plugin scan = {
    COMMON,
    .role = SCAN_ROLE_BASELINE,
    .id = CALIBRATOR_SCAN_ID,
    .summary = "a serial scan that never changes",
    .ops = {{SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_EXCLUSIVE), SCAN_BIT(SCAN_DTYPE_I32)}},
    .run = run_scan};

static const scan_plugin copy = {COMMON, .role = SCAN_ROLE_CEILING, .id = CALIBRATOR_COPY_ID,
                                 .summary = "a copy that never changes", .run = run_copy};

const scan_entry_table *calibrators_entry(void)
{
    static const scan_plugin *const plugins[CALIBRATOR_COUNT + 1] = {
        [CALIBRATOR_SCAN] = &scan, [CALIBRATOR_COPY] = &copy};
    static const scan_entry_table entry = {
        SCAN_ABI_MAGIC, SCAN_ABI_MAJOR, SCAN_ABI_MINOR, sizeof(scan_entry_table), 0, plugins};
    return &entry;
}
