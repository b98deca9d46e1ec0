#include "simd_part.h"

enum { TUNABLE_ISA, TUNABLE_STORES };
enum { STORES_BY_SIZE, STORES_NEAR, STORES_FAR };

typedef struct simd {
    const scan_host *host;
    simd_scan *near;
    simd_scan *far; /* NULL: never */
    simd_part part;
    size_t element_bytes;
} simd;

static const simd_scans *scans_of(simd_set set)
{
#if defined(__x86_64__)
    if (set == SIMD_AVX512)
        return &simd_scans_avx512;
    if (set == SIMD_AVX2)
        return &simd_scans_avx2;
#endif
    return &simd_scans_any;
}
static scan_status simd_plugin_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    return simd_supports(host, problem->tunables[TUNABLE_ISA]);
}

static scan_status simd_create(const scan_host *host, const scan_plugin *plugin, void *context,
                               const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    simd *self = host->allocate(host, sizeof *self, _Alignof(simd));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    const simd_op op = simd_op_of(problem);
    const simd_scans *scans = scans_of(simd_set_of(problem->tunables[TUNABLE_ISA]));
    const int64_t stores = problem->tunables[TUNABLE_STORES];
    const bool far = stores == STORES_FAR || (stores == STORES_BY_SIZE && problem->n*problem->element_bytes>8000000);
    *self = (simd){
        .host = host,
        .near = scans->near[op][problem->kind],
        .far = far ? scans->far[op][problem->kind] : NULL,
        .part = {.n = problem->n, .carry = simd_identities[op]},
        .element_bytes = problem->element_bytes,
    };
    *self_p = self;
    return SCAN_OK;
}
bool fits_lines(const simd_part *part, size_t element_bytes);
bool fits_lines(const simd_part *part, size_t element_bytes)
{
    return part->n * element_bytes >= (size_t)3 * 16384 &&
           (uintptr_t)part->out % element_bytes == 0;
}

static scan_status simd_run(void *instance, scan_buffer in, scan_buffer out)
{
    const simd *self = instance;
    simd_part part = self->part;
    part.in = scan_host_pointer(in);
    part.out = scan_host_pointer(out);
    if (self->far && fits_lines(&part, self->element_bytes))
        self->far(&part);
    else
        self->near(&part);
    return SCAN_OK;
}

static void simd_destroy(void *instance)
{
    simd *self = instance;
    self->host->release(self->host, self);
}

static const int64_t stores[] = {STORES_BY_SIZE, STORES_NEAR, STORES_FAR};

static const scan_tunable tunables[] = {
    [TUNABLE_ISA] = SIMD_SET_TUNABLE,
    [TUNABLE_STORES] =
        SCAN_TUNABLE_LIST("stores", "0: by size; 1: through the caches; 2: around them",
                          STORES_BY_SIZE, stores),
};

static const scan_plugin cpu_simd = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cpu_simd",
    .name = "Sliding windows in vectors",
    .version = "1.0",
    .summary = "one thread; vectors, windows that double, stores around the caches",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE,
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = simd_plugin_supports,
    .create = simd_create,
    .run = simd_run,
    .destroy = simd_destroy,
};

SCAN_EXPORT_PLUGINS(&cpu_simd);
