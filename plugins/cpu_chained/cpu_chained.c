/*
 * cpu_chained.c - a chained scan of chunks that fit into the second-level cache, by several threads
 *
 * The threads take chunks in order. A thread reduces its chunk, waits for the carry of the chunks
 * before, passes it on with its own total, and then scans. While it scans chunk k out of the
 * second-level cache it reduces the next chunk it takes, which comes from memory (chained_fused.h):
 * memory is read once and written once, without a pause between reading and writing.
 *
 * One carry goes from hand to hand: `turn` says for which chunk it is. A chunk is taken before all
 * later ones, and its thread passes the carry on before it scans, so whoever waits is waiting for a
 * thread that works. No memory is needed for the chunks' totals.
 *
 * With L elements in a vector, a scan by windows takes log2(L) + 1 operations per vector and a
 * total one, or log2(L) + 1 where elements must stay in order; 2n elements of traffic to memory.
 * Small inputs are scanned by one thread, as cpu_simd does it.
 *
 * A float sum is the carry of the chunks before, combined with what simd_scan.h does within the
 * chunk. The carry adds the totals of chunks in order; a total adds vectors in order, each folded
 * as a balanced tree. So the bits depend on the input, n, the instructions, the size of a chunk and
 * on whether there is more than one thread; not on timing, nor on which thread has which chunk.
 */
#include "chained_part.h"
#include "cpu_team.h"

#include <sched.h>
#include <stdatomic.h>

enum { TUNABLE_THREADS, TUNABLE_CHUNK, TUNABLE_ISA };
enum { LINE_BYTES = 64, KIB = 1024 };

/* Of inputs of fewer bytes: in a core's caches two threads that also reduce gain little on one that
 * only scans, and to start them takes as long. */
#define TEAM_BYTES ((size_t)2048 * KIB)
/* Smaller chunks are used where there would be fewer than these, so that all threads work. */
#define CHUNKS 32
#define LEAST_CHUNK_BYTES ((size_t)16 * KIB)

typedef struct chained {
    /* In lines of their own, because all threads write them. */
    _Alignas(LINE_BYTES) atomic_size_t taken; /* chunks that threads have taken */
    _Alignas(LINE_BYTES) atomic_size_t turn;  /* the chunk for which the carry is */
    simd_value carry;                         /* belongs to the thread whose turn it is */

    _Alignas(LINE_BYTES) const scan_host *host;
    cpu_team *team;
    simd_single single; /* for one thread */
    chained_fused *fused;
    chained_join *join;
    simd_part all;
    size_t element_bytes;
    size_t chunk; /* elements */
    size_t chunks;
    bool far;
} chained;

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Takes the carry for chunk k, and passes it on with the chunk's total. */
static simd_value pass_carry(chained *self, size_t k, simd_value total)
{
    enum { SPINS = 256 };
    for (int spin = 1; atomic_load_explicit(&self->turn, memory_order_acquire) != k; spin++)
        if (spin % SPINS == 0)
            sched_yield(); /* its thread may be waiting for this core */
        else
            pause_briefly();
    const simd_value carry = self->carry;
    self->carry = self->join(carry, total);
    atomic_store_explicit(&self->turn, k + 1, memory_order_release);
    return carry;
}

/* Takes the next chunk: its number, and the chunk itself, which is empty after the last one. */
static size_t take(chained *self, simd_part *part)
{
    const size_t k = atomic_fetch_add_explicit(&self->taken, 1, memory_order_relaxed);
    *part = self->all;
    const size_t begin = k < self->chunks ? k * self->chunk : part->n;
    part->n = part->n - begin < self->chunk ? part->n - begin : self->chunk;
    part->in += begin * self->element_bytes;
    part->out += begin * self->element_bytes;
    return k;
}

static void work(void *context, uint32_t rank, uint32_t members)
{
    (void)rank;
    (void)members;
    chained *self = context;
    simd_part part, next;
    size_t k = take(self, &part);
    const simd_part none = {.n = 0};
    simd_value total = self->fused(&none, part.in, part.n);
    while (part.n > 0) {
        part.carry = pass_carry(self, k, total);
        k = take(self, &next);
        total = self->fused(&part, next.in, next.n);
        part = next;
    }
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    const scan_status status = simd_supports(host, problem->tunables[TUNABLE_ISA]);
    return status == SCAN_OK ? cpu_team_supports(host, problem->tunables[TUNABLE_THREADS]) : status;
}

static const chained_loops *loops_of(simd_set set)
{
    switch (set) {
#if defined(__x86_64__)
    case SIMD_AVX512:
        return &chained_loops_avx512;
    case SIMD_AVX2:
        return &chained_loops_avx2;
#endif
    default:
        return &chained_loops_any;
    }
}

/* Bytes of a chunk: a multiple of a page. */
static size_t chunk_bytes(size_t bytes, size_t most)
{
    const size_t even = bytes / CHUNKS / SIMD_PAGE_BYTES * SIMD_PAGE_BYTES;
    const size_t chunk = even > LEAST_CHUNK_BYTES ? even : LEAST_CHUNK_BYTES;
    return chunk < most ? chunk : most;
}

static void prepare(chained *self, const scan_problem *problem)
{
    const simd_set set = simd_set_of(problem->tunables[TUNABLE_ISA]);
    const chained_loops *loops = loops_of(set);
    const simd_op op = simd_op_of(problem);
    const size_t n = (size_t)problem->n, bytes = n * problem->element_bytes;
    const size_t most = (size_t)problem->tunables[TUNABLE_CHUNK] * KIB;
    self->single = simd_single_for(problem, set, SIMD_BY_SIZE);
    self->fused = loops->fused[op][problem->kind];
    self->join = loops->join[op];
    self->element_bytes = problem->element_bytes;
    self->chunk = chunk_bytes(bytes, most) / problem->element_bytes;
    self->chunks = (n + self->chunk - 1) / self->chunk;
    self->far = bytes >= SIMD_FAR_BYTES;
    self->all = (simd_part){.n = n, .carry = simd_identities[op], .path = simd_best_path()};
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    chained *self = host->allocate(host, sizeof *self, _Alignof(chained));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (chained){.host = host};
    prepare(self, problem);
    const bool alone = problem->n * problem->element_bytes < TEAM_BYTES;
    const uint32_t threads = cpu_team_size(host, problem->tunables[TUNABLE_THREADS]);
    if (!alone && threads > 1) {
        const scan_status status = cpu_team_create(host, threads, &self->team);
        if (status != SCAN_OK) {
            host->release(host, self);
            return status;
        }
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    chained *self = instance;
    if (!self->team) {
        simd_single_run(&self->single, in, out);
        return SCAN_OK;
    }
    self->all.in = scan_host_pointer(in);
    self->all.out = scan_host_pointer(out);
    self->all.around = self->far && simd_can_store_around(&self->all, self->element_bytes);
    self->carry = self->all.carry;
    atomic_store_explicit(&self->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&self->turn, 0, memory_order_relaxed);
    cpu_team_run(self->team, work, self);
    return SCAN_OK;
}

static void destroy(void *instance)
{
    chained *self = instance;
    cpu_team_destroy(self->team);
    self->host->release(self->host, self);
}

static const int64_t chunks[] = {32, 64, 128, 256, 512, 1024};

static const scan_tunable tunables[] = {
    [TUNABLE_THREADS] = CPU_TEAM_THREADS(0),
    [TUNABLE_CHUNK] = SCAN_TUNABLE_LIST("chunk", "KiB of a chunk at most", 512, chunks),
    [TUNABLE_ISA] = SIMD_SET_TUNABLE,
};

static const scan_plugin cpu_chained = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cpu_chained",
    .name = "Chained chunks in vectors",
    .version = "1.0",
    .summary = "threads: chunks in L2, the next one is reduced while this one is scanned",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE,
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
};

SCAN_EXPORT_PLUGINS(&cpu_chained);
