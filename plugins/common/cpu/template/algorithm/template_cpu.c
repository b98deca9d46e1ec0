/*
 * template_cpu.c - CHANGE: what the algorithm is, in one line
 *
 * CHANGE: the algorithm in the words of its paper, the source, how many
 * combinations (work) and dependent steps it makes, and how many bytes it moves.
 *
 * This file is complete and correct: it adds 32-bit integers tile by tile, each tile in two passes.
 * First it sums the tile (upsweep), then it scans it from the sum of all tiles before (downsweep).
 * Work 2n, steps 2n, since it is serial; the second pass finds the tile in the cache if the tile is
 * small enough.
 *
 * Replace it line by line, wherever it says CHANGE. After each change `scanbench validate` proves
 * it on sizes around the tile, on special inputs, and between guard words.
 */
#include "scan_plugin.h"

/* What create makes and run needs: CHANGE: scratch, streams, compiled kernels. */
typedef struct instance {
    const scan_host *host;
    uint64_t n;
    uint64_t tile;
    uint32_t kind;
} instance;

/* The parameters to sweep with --block-sizes or --set; their values arrive in this
 * order. CHANGE, or remove them here, in `plugin` and in create. */
static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "elements per tile, a multiple of 32", 256, 32, 1024),
};

/* Refuses, with a reason, what the declarations cannot express. create and run must do what it
 * accepts. CHANGE, or remove it: then everything declared is accepted. */
static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    if (problem->tunables[0] % 32 != 0)
        return host->fail(host, SCAN_UNSUPPORTED, "block=%lld is not a multiple of 32",
                          (long long)problem->tunables[0]);
    return SCAN_OK;
}

/* Does everything but the scan. CHANGE: what your instance needs; on failure release what was
 * allocated before, in reverse order. */
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    instance *self = host->allocate(host, sizeof *self, sizeof(uint64_t));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    self->host = host;
    self->n = problem->n;
    self->tile = (uint64_t)problem->tunables[0];
    self->kind = problem->kind;
    *self_p = self;
    return SCAN_OK;
}

static uint32_t sum_tile(const uint32_t *x, uint64_t count)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

static void scan_tile(const uint32_t *x, uint32_t *y, uint64_t count, uint32_t carry, int inclusive)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t next = carry + x[i];
        y[i] = inclusive ? next : carry;
        carry = next;
    }
}

/* The scan: no allocation, `in` is never written, all of `out` is complete when it
 * returns. n is 64-bit, may be 0 and is rarely a multiple of the tile. CHANGE. */
static scan_status run(void *opaque, scan_buffer in, scan_buffer out)
{
    const instance *self = opaque;
    const uint32_t *x = scan_host_pointer(in);
    uint32_t *y = scan_host_pointer(out);
    uint32_t carry = 0;
    for (uint64_t first = 0; first < self->n; first += self->tile) {
        const uint64_t left = self->n - first;
        const uint64_t count = left < self->tile ? left : self->tile;
        const uint32_t total = sum_tile(x + first, count);
        scan_tile(x + first, y + first, count, carry, self->kind == SCAN_KIND_INCLUSIVE);
        carry += total;
    }
    return SCAN_OK;
}

/* Releases everything that create allocated, in reverse order. */
static void destroy(void *opaque)
{
    instance *self = opaque;
    self->host->release(self->host, self);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* an algorithm is measured, a mock only proved */
    .id = "template_cpu",
    .name = "Two passes over each tile", /* CHANGE */
    .version = "1.0",
    .summary = "sums each tile, then scans it from the sum of all before", /* CHANGE */
    .reference = "", /* CHANGE: paper or source */
    /* CHANGE: SCAN_FLAG_IN_PLACE if run may have in == out, SCAN_FLAG_ROWS and SCAN_FLAG_INNER if
     * it reads scan_rows and scan_inner. */
    .flags = 0,
    .max_n = 0, /* no limit but memory */
    /* CHANGE: what run can do, operator by operator. Signed sums are computed as
     * unsigned, since overflow of int is undefined in C. */
    .ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32) | SCAN_BIT(SCAN_DTYPE_U32)}},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .memory = NULL, /* buffers are host memory */
    .probe = NULL,  /* the host's CPU */
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
