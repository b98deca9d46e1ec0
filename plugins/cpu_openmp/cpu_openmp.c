/*
 * cpu_openmp.c - the scan that OpenMP 5 generates from a serial loop, as a control
 *
 * The loop is the one that a user would write; two directives ask for threads and vectors. What the
 * compiler makes of them is measured. GCC stores every partial result in an array of n elements
 * that its library allocates in each run, and reads it again to add what came before: 2n more
 * elements of traffic, and fresh pages for large n.
 *
 * Each thread has one contiguous part, so the bits of float sums depend on the input, n and the
 * number of threads alone.
 */
#include "cpu_pairs.h"
#include "cpu_team.h"
#include "scan_half.h"
#include "simd_set.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

typedef struct openmp openmp;
typedef void openmp_scan(openmp *self, const void *in, void *out);

struct openmp {
    const scan_host *host;
    openmp_scan *scan;
    size_t n;
    uint32_t threads;
    uint32_t came;       /* threads that OpenMP gave */
    atomic_bool refused; /* a thread could not be bound */
};

/* Each thread of OpenMP calls this in each run: the library ends and starts threads as it likes. */
static void join_team(openmp *self)
{
    static _Thread_local uint32_t place; /* 0: not bound yet */
    const uint32_t rank = (uint32_t)omp_get_thread_num();
    if (rank == 0)
        self->came = (uint32_t)omp_get_num_threads();
    if (rank == 0 || rank == place)
        return;
    if (self->host->pin_thread(self->host, rank) == SCAN_OK)
        place = rank;
    else
        atomic_store(&self->refused, true);
}

/* ---- operators ---------------------------------------------------------------- */

#pragma omp declare reduction(affine_u32:pair_u32                    \
                              : omp_out = join_u32(omp_out, omp_in)) \
    initializer(omp_priv = (pair_u32){1, 0})
#pragma omp declare reduction(affine_f32:pair_f32                    \
                              : omp_out = join_f32(omp_out, omp_in)) \
    initializer(omp_priv = (pair_f32){1, 0})

#define ADD(left, right) ((__typeof__(left))((left) + (right)))
#define MAX(left, right) ((left) < (right) ? (right) : (left))
#define MIN(left, right) ((right) < (left) ? (right) : (left))

/* X(name in SIMD_OP_MAP, type, OpenMP's name, function). Signed sums are computed as unsigned. */
#define OPENMP_MAP(X)                             \
    X(SUM_U8, uint8_t, +, ADD)                    \
    X(SUM_U16, uint16_t, +, ADD)                  \
    X(SUM_U32, uint32_t, +, ADD)                  \
    X(SUM_U64, uint64_t, +, ADD)                  \
    X(SUM_F32, float, +, ADD)                     \
    X(SUM_F64, double, +, ADD)                    \
    X(MAX_I8, int8_t, max, MAX)                   \
    X(MAX_U8, uint8_t, max, MAX)                  \
    X(MAX_I16, int16_t, max, MAX)                 \
    X(MAX_U16, uint16_t, max, MAX)                \
    X(MAX_I32, int32_t, max, MAX)                 \
    X(MAX_U32, uint32_t, max, MAX)                \
    X(MAX_I64, int64_t, max, MAX)                 \
    X(MAX_U64, uint64_t, max, MAX)                \
    X(MAX_F32, float, max, MAX)                   \
    X(MAX_F64, double, max, MAX)                  \
    X(MIN_I8, int8_t, min, MIN)                   \
    X(MIN_U8, uint8_t, min, MIN)                  \
    X(MIN_I16, int16_t, min, MIN)                 \
    X(MIN_U16, uint16_t, min, MIN)                \
    X(MIN_I32, int32_t, min, MIN)                 \
    X(MIN_U32, uint32_t, min, MIN)                \
    X(MIN_I64, int64_t, min, MIN)                 \
    X(MIN_U64, uint64_t, min, MIN)                \
    X(MIN_F32, float, min, MIN)                   \
    X(MIN_F64, double, min, MIN)                  \
    X(AFFINE_U32, pair_u32, affine_u32, join_u32) \
    X(AFFINE_F32, pair_f32, affine_f32, join_f32)

/* X(name, input, output, type, from input to type, from type to output, OpenMP's name, function):
 * floats of 16 bits, held as f32. */
#define OPENMP_HALF_MAP(X)                                                                 \
    X(SUM_F16, uint16_t, uint16_t, float, scan_f16_to_f32, scan_f16_from_f32, +, ADD)      \
    X(SUM_BF16, uint16_t, uint16_t, float, scan_bf16_to_f32, scan_bf16_from_f32, +, ADD)   \
    X(MAX_F16, uint16_t, uint16_t, float, scan_f16_to_f32, scan_f16_from_f32, max, MAX)    \
    X(MAX_BF16, uint16_t, uint16_t, float, scan_bf16_to_f32, scan_bf16_from_f32, max, MAX) \
    X(MIN_F16, uint16_t, uint16_t, float, scan_f16_to_f32, scan_f16_from_f32, min, MIN)    \
    X(MIN_BF16, uint16_t, uint16_t, float, scan_bf16_to_f32, scan_bf16_from_f32, min, MIN)

/* The same of sums whose results are wider. */
#define OPENMP_WIDE_MAP(X)                                                 \
    X(SUM_I8_I32, int8_t, uint32_t, uint32_t, (uint32_t), SAME, +, ADD)    \
    X(SUM_U8_U32, uint8_t, uint32_t, uint32_t, (uint32_t), SAME, +, ADD)   \
    X(SUM_I16_I32, int16_t, uint32_t, uint32_t, (uint32_t), SAME, +, ADD)  \
    X(SUM_U16_U32, uint16_t, uint32_t, uint32_t, (uint32_t), SAME, +, ADD) \
    X(SUM_I32_I64, int32_t, uint64_t, uint64_t, (uint64_t), SAME, +, ADD)  \
    X(SUM_U32_U64, uint32_t, uint64_t, uint64_t, (uint64_t), SAME, +, ADD) \
    X(SUM_F32_F64, float, double, double, (double), SAME, +, ADD)

/* ---- the scans ------------------------------------------------------------------ */

#if !defined(__clang__) /* GCC warns of variables that it makes itself */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define DIRECTIVE(...) _Pragma(#__VA_ARGS__)

#define SAME(element) (element)
#define OPENMP_SCANS(name, type, operation, combine) \
    OPENMP_SCANS_HELD(name, type, type, type, SAME, SAME, operation, combine)

/* The directives of `omp parallel for simd`, apart, so that each thread can be bound first. */
#define OPENMP_SCANS_HELD(name, from, to, type, load, store, operation, combine) \
    static void exclusive_##name(openmp *self, const void *in, void *out)        \
    {                                                                            \
        const from *x = in;                                                      \
        to *y = out;                                                             \
        const size_t n = self->n;                                                \
        type sum;                                                                \
        memcpy(&sum, &simd_identities[SIMD_##name], sizeof sum);                 \
        DIRECTIVE(omp parallel num_threads(self->threads) default(none)          \
                      shared(self, x, y, n, sum))                                \
        {                                                                        \
            join_team(self);                                                     \
            DIRECTIVE(omp for simd reduction(inscan, operation : sum))           \
            for (size_t i = 0; i < n; i++) {                                     \
                y[i] = store(sum);                                               \
                DIRECTIVE(omp scan exclusive(sum))                               \
                {                                                                \
                    const type one = load(x[i]);                                 \
                    sum = combine(sum, one);                                     \
                }                                                                \
            }                                                                    \
        }                                                                        \
    }                                                                            \
    static void inclusive_##name(openmp *self, const void *in, void *out)        \
    {                                                                            \
        const from *x = in;                                                      \
        to *y = out;                                                             \
        const size_t n = self->n;                                                \
        type sum;                                                                \
        memcpy(&sum, &simd_identities[SIMD_##name], sizeof sum);                 \
        DIRECTIVE(omp parallel num_threads(self->threads) default(none)          \
                      shared(self, x, y, n, sum))                                \
        {                                                                        \
            join_team(self);                                                     \
            DIRECTIVE(omp for simd reduction(inscan, operation : sum))           \
            for (size_t i = 0; i < n; i++) {                                     \
                {                                                                \
                    const type one = load(x[i]);                                 \
                    sum = combine(sum, one);                                     \
                }                                                                \
                DIRECTIVE(omp scan inclusive(sum))                               \
                y[i] = store(sum);                                               \
            }                                                                    \
        }                                                                        \
    }
OPENMP_MAP(OPENMP_SCANS)
OPENMP_HALF_MAP(OPENMP_SCANS_HELD)
OPENMP_WIDE_MAP(OPENMP_SCANS_HELD)

#define OPENMP_ENTRY(name, ...) [SIMD_##name] = {exclusive_##name, inclusive_##name},
static openmp_scan *const scans[SIMD_OPS][SCAN_KIND_COUNT] = {
    OPENMP_MAP(OPENMP_ENTRY) OPENMP_HALF_MAP(OPENMP_ENTRY) OPENMP_WIDE_MAP(OPENMP_ENTRY)};

/* ---- the plugin ------------------------------------------------------------------ */

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    const scan_status status = simd_wide_supports(host, problem);
    return status == SCAN_OK ? cpu_team_supports(host, problem->tunables[0]) : status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    openmp *self = host->allocate(host, sizeof *self, _Alignof(openmp));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (openmp){
        .host = host,
        .scan = scans[simd_op_of(problem)][problem->kind],
        .n = (size_t)problem->n,
        .threads = cpu_team_size(host, problem->tunables[0]),
    };
    *self_p = self;
    return SCAN_OK;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    openmp *self = instance;
    if (self->n == 0)
        return SCAN_OK; /* GCC's loop reads its array even then */
    self->scan(self, scan_host_pointer(in), scan_host_pointer(out));
    if (self->came != self->threads)
        return self->host->fail(self->host, SCAN_ERROR,
                                "OpenMP gave %u threads of %u; unset OMP_THREAD_LIMIT and "
                                "OMP_DYNAMIC",
                                self->came, self->threads);
    if (atomic_load(&self->refused))
        return self->host->fail(self->host, SCAN_ERROR, "pin_thread failed for a thread of OpenMP");
    return SCAN_OK;
}

static void destroy(void *instance)
{
    openmp *self = instance;
    self->host->release(self->host, self);
}

static const scan_tunable tunables[] = {CPU_TEAM_THREADS(0)};

/* Whose loops are measured. */
#if defined(__clang__)
#define COMPILER "Clang " __clang_version__
#else
#define COMPILER "GCC " __VERSION__
#endif

static const scan_plugin cpu_openmp = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cpu_openmp",
    .name = "OpenMP 5, inscan reduction",
    .version = COMPILER,
    .summary = "control: a serial loop with omp for simd reduction(inscan, ...)",
    .reference = "OpenMP 5.0, scan directive",
    .flags = SCAN_FLAG_ALLOCATES_IN_RUN,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
    .results = {SCAN_WIDE_1_1},
};

SCAN_EXPORT_PLUGINS(&cpu_openmp);
