/*
 * cpu_simd.c - the scan of one thread in vectors
 *
 * A serial loop waits for an operation at every element; this one at every vector. simd_scan.h has
 * the algorithm, sliding windows that double, and simd_vector.h the vectors. It is compiled for
 * AVX-512, AVX2 and what every CPU has (SSE2, NEON), and the widest that the CPU has is used. Large
 * outputs are stored around the caches, and the input is prefetched: then a scan takes as long as a
 * copy.
 *
 * With L elements in a vector the additions of a float sum are those of y[i] = y[i - L] + W_L[i],
 * where W_L[i] adds L elements as a balanced tree: at most n / L + log2(L) roundings, not n. The
 * bits depend on the input, n and the instructions alone. With accurate=1 vectors hold f64, half as
 * many, so that each output of f32 is rounded once. Sums whose results are wider than the input
 * convert its elements as they are loaded. L is twice as large for sums of bf16 in a single row,
 * which add two neighbours first.
 */
#include "simd_part.h"

enum { TUNABLE_ISA, TUNABLE_WAY, TUNABLE_ACCURATE };

typedef struct simd {
    const scan_host *host;
    simd_single single;
} simd;

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    scan_status status = simd_supports(host, problem->tunables[TUNABLE_ISA]);
    if (status == SCAN_OK)
        status = simd_wide_supports(host, problem);
    return status == SCAN_OK
               ? simd_accurate_supports(host, problem, problem->tunables[TUNABLE_ACCURATE])
               : status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    simd *self = host->allocate(host, sizeof *self, _Alignof(simd));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    const simd_set set = simd_set_of(problem->tunables[TUNABLE_ISA]);
    const simd_way way = (simd_way)problem->tunables[TUNABLE_WAY];
    self->host = host;
    const simd_op op = simd_accurate_op(problem, problem->tunables[TUNABLE_ACCURATE]);
    simd_single_prepare(&self->single, problem, op, set, way);
    *self_p = self;
    return SCAN_OK;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    const simd *self = instance;
    simd_single_run(&self->single, in, out);
    return SCAN_OK;
}

static void destroy(void *instance)
{
    simd *self = instance;
    self->host->release(self->host, self);
}

static const int64_t ways[] = {SIMD_BY_SIZE, SIMD_NEAR, SIMD_FAR_AHEAD, SIMD_FAR_IN_TURN};

static const scan_tunable tunables[] = {
    [TUNABLE_ISA] = SIMD_SET_TUNABLE,
    [TUNABLE_WAY] =
        SCAN_TUNABLE_LIST("way",
                          "0: by size; stores 1: through the caches; around them and prefetches "
                          "2: 3 KiB ahead, 3: of four pages in turn",
                          SIMD_BY_SIZE, ways),
    [TUNABLE_ACCURATE] = SIMD_ACCURATE_TUNABLE,
};

static const scan_plugin cpu_simd = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cpu_simd",
    .name = "Sliding windows in vectors",
    .version = "1.0",
    .summary = "one thread: windows that double, in AVX-512, AVX2, SSE2 or NEON",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_ROWS | SCAN_FLAG_INNER,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
    .results = {SCAN_WIDE_1_1},
};

SCAN_EXPORT_PLUGINS(&cpu_simd);
