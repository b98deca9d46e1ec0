/*
 * cpu_chained.c - a chained scan of chunks that stay in the caches, by several threads
 *
 * The threads take chunks in order. While a thread scans a chunk out of the caches, it reduces the
 * one that it will scan after the next, which comes from memory (chained_fused.h): memory is read
 * once and written once, without a pause between reading and writing.
 *
 * A chunk's total is published as soon as it is known, a whole chunk before its thread needs the
 * carry for it; every thread adds up the totals for itself. So a thread that was held up for less
 * than the time of a chunk holds up no other. (When a single carry went from hand to hand, the
 * threads waited for the slower one at every chunk.) To scan a chunk a thread waits for totals of
 * chunks before it only, and those were taken before by threads that work: no wait is for ever.
 *
 * With L elements in a vector, a scan by windows takes log2(L) + 1 operations per vector and a
 * total one, or log2(L) + 1 where elements must stay in order; 2n elements of traffic to memory.
 * Small inputs are scanned by one thread, as cpu_simd does it. So is each of many rows, and each
 * slab of scans that lie side by side: threads take shares of them. What is left of few long rows,
 * when each thread had as many, is scanned row after row, each by all threads. Few rows of few
 * scans side by side leave threads idle.
 *
 * A float sum is the carry of the chunks before, combined with what simd_scan.h does within the
 * chunk. The carry adds the totals of chunks in order; a total adds vectors in order, each folded
 * as a balanced tree. So the bits depend on the input, n, the instructions, the size of a chunk and
 * on whether there is more than one thread (with few long rows on how many there are, too); not on
 * timing, nor on which thread has which chunk. With accurate=1 all of these are f64, the totals of
 * chunks and the carries, too, and each output is rounded to f32 once. Where results are wider than
 * the input, totals and carries are of the result's type, and a chunk is as much of the input.
 */
#include "chained_part.h"
#include "cpu_team.h"

#include <sched.h>
#include <stdatomic.h>

enum { TUNABLE_THREADS, TUNABLE_CHUNK, TUNABLE_ISA, TUNABLE_ACCURATE };
enum { LINE_BYTES = 64, KIB = 1024 };

/* Inputs of fewer bytes are scanned by one thread: in a core's caches two threads that also reduce
 * gain little on one that only scans, and to start them takes as long. */
#define TEAM_BYTES ((size_t)2048 * KIB)
/* Chunks become smaller, down to the least, where there would be fewer than these: so all threads
 * work. */
#define CHUNKS 32
#define LEAST_CHUNK_BYTES ((size_t)16 * KIB)
/* All long rows are dealt out whole where threads are idle for at most one part in so many then;
 * else as many to each thread, and all threads scan each of those that are left together. */
#define IDLE_PART 8

/* The total of a chunk; valid in the run whose number it carries, so that nothing is reset. */
typedef struct published {
    atomic_uint_least64_t run;
    simd_value total;
} published;

/* Rows, and scans side by side of each, that a thread scans alone. */
typedef struct share {
    size_t rows, width;
} share;

typedef struct chained {
    /* In a line of its own, because all threads write it. */
    _Alignas(LINE_BYTES) atomic_size_t taken; /* chunks or shares that threads have taken */

    _Alignas(LINE_BYTES) const scan_host *host;
    published *totals; /* one for each chunk */
    uint64_t run;      /* the number of this run */
    cpu_team *team;
    simd_single single; /* for one thread */
    chained_fused *fused;
    chained_join *join;
    simd_part all;
    size_t element_bytes, result_bytes;
    size_t chunk; /* elements */
    size_t chunks;
    bool far;
    size_t whole; /* rows that threads take whole; the others, after these, they scan together */
    size_t shares;
    share share;
    scan_buffer in, out;
} chained;

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* What comes before chunk `next`: a thread's own sum of totals. */
typedef struct prefix {
    size_t next;
    simd_value carry;
} prefix;

/* Adds the totals of the chunks before chunk k, once they are there. */
static simd_value carry_for(const chained *self, prefix *before, size_t k)
{
    enum { SPINS = 256 };
    for (; before->next < k; before->next++) {
        const published *one = &self->totals[before->next];
        for (int spin = 1; atomic_load_explicit(&one->run, memory_order_acquire) != self->run;
             spin++)
            if (spin % SPINS == 0)
                sched_yield(); /* its thread may be waiting for this core */
            else
                pause_briefly();
        before->carry = self->join(before->carry, one->total);
    }
    return before->carry;
}

/* A chunk that a thread has taken. */
typedef struct taken_chunk {
    size_t index;
    simd_part part; /* empty after the last one */
} taken_chunk;

static taken_chunk take(chained *self)
{
    taken_chunk c = {atomic_fetch_add_explicit(&self->taken, 1, memory_order_relaxed), self->all};
    const size_t begin = c.index < self->chunks ? c.index * self->chunk : c.part.n;
    c.part.n = c.part.n - begin < self->chunk ? c.part.n - begin : self->chunk;
    c.part.in += begin * self->element_bytes;
    c.part.out += begin * self->result_bytes;
    return c;
}

/* Scans `part`, which may be empty, takes the next chunk, reduces it and publishes its total. */
static taken_chunk scan_and_take(chained *self, const simd_part *part)
{
    const taken_chunk c = take(self);
    const simd_value total = self->fused(part, c.part.in, c.part.n);
    if (c.part.n > 0) {
        self->totals[c.index].total = total;
        atomic_store_explicit(&self->totals[c.index].run, self->run, memory_order_release);
    }
    return c;
}

static void work(void *context, uint32_t rank, uint32_t members)
{
    (void)rank;
    (void)members;
    chained *self = context;
    prefix before = {.carry = self->all.carry};
    const simd_part none = {.n = 0};
    taken_chunk first = scan_and_take(self, &none);
    taken_chunk second = scan_and_take(self, &none);
    while (first.part.n > 0) {
        first.part.carry = carry_for(self, &before, first.index);
        const taken_chunk third = scan_and_take(self, &first.part);
        first = second;
        second = third;
    }
}

/* Shares from the first row's first scans side by side to the last one's last. */
static void work_alone(void *context, uint32_t rank, uint32_t members)
{
    (void)rank;
    (void)members;
    chained *self = context;
    const size_t inner = self->single.slab.inner, width = self->share.width;
    const size_t slabs = (inner + width - 1) / width;
    for (;;) {
        const size_t k = atomic_fetch_add_explicit(&self->taken, 1, memory_order_relaxed);
        if (k >= self->shares)
            return;
        const size_t row = k / slabs * self->share.rows, begin = k % slabs * width;
        const size_t rows_left = self->whole - row;
        const size_t rows = rows_left < self->share.rows ? rows_left : self->share.rows;
        if (self->single.by_slabs)
            simd_single_run_slab(&self->single, self->in, self->out, row, rows, begin,
                                 inner - begin < width ? inner - begin : width);
        else
            simd_single_run_rows(&self->single, self->in, self->out, row, rows);
    }
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    scan_status status = simd_supports(host, problem->tunables[TUNABLE_ISA]);
    if (status == SCAN_OK)
        status = simd_wide_supports(host, problem);
    if (status == SCAN_OK)
        status = simd_accurate_supports(host, problem, problem->tunables[TUNABLE_ACCURATE]);
    return status == SCAN_OK ? cpu_team_supports(host, problem->tunables[TUNABLE_THREADS]) : status;
}

static const chained_loops *loops_of(simd_set set, simd_op op)
{
    const bool narrow = simd_is_narrow(op), half = simd_is_half(op);
    switch (set) {
#if defined(__x86_64__)
    case SIMD_AVX512:
        return narrow ? &chained_narrow_avx512
               : half ? &chained_half_avx512
                      : &chained_loops_avx512;
    case SIMD_AVX2:
        return narrow ? &chained_narrow_avx2 : half ? &chained_half_avx2 : &chained_loops_avx2;
#endif
    default:
        return narrow ? &chained_narrow_any : half ? &chained_half_any : &chained_loops_any;
    }
}

/* Bytes of a chunk: a multiple of a page. */
static size_t chunk_bytes(size_t bytes, size_t most)
{
    const size_t even = bytes / CHUNKS / SIMD_PAGE_BYTES * SIMD_PAGE_BYTES;
    const size_t chunk = even > LEAST_CHUNK_BYTES ? even : LEAST_CHUNK_BYTES;
    return chunk < most ? chunk : most;
}

/* The rows that threads take whole; the others, which come last, they scan together. */
static size_t whole_rows(const scan_problem *problem, size_t rows, size_t threads)
{
    const size_t row_bytes = (size_t)problem->n * scan_result_bytes(problem);
    if (scan_inner(problem) > 1 || (rows > 1 && row_bytes < TEAM_BYTES))
        return rows;
    const size_t left = rows % threads;
    const bool even = left == 0 || (threads - left) * IDLE_PART <= rows - left + threads;
    return even ? rows : rows - left;
}

/* Shares as large as chunks, or as small as there must be to have enough of them. */
static void prepare_shares(chained *self, const scan_problem *problem, uint32_t threads)
{
    const size_t rows = whole_rows(problem, self->single.outer, threads);
    if (rows == 0)
        return;
    const size_t inner = (size_t)scan_inner(problem);
    const size_t row_bytes = (size_t)problem->n * inner * problem->element_bytes;
    const size_t parts = (CHUNKS + rows - 1) / rows;
    const size_t width = self->single.by_slabs ? simd_slab_width(&self->single, parts) : inner;
    const size_t slabs = (inner + width - 1) / width;
    const size_t fit = self->chunk * problem->element_bytes / row_bytes;
    self->whole = rows;
    self->share = (share){.rows = slabs > 1 || fit == 0 ? 1 : fit, .width = width};
    self->shares = (rows + self->share.rows - 1) / self->share.rows * slabs;
}

static void prepare(chained *self, const scan_problem *problem, uint32_t threads)
{
    const simd_set set = simd_set_of(problem->tunables[TUNABLE_ISA]);
    const simd_op op = simd_accurate_op(problem, problem->tunables[TUNABLE_ACCURATE]);
    const simd_op alone = simd_op_alone(op);
    const chained_loops *loops = loops_of(set, op);
    const size_t n = (size_t)problem->n;
    const size_t bytes = (size_t)scan_elements(problem) * problem->element_bytes;
    const size_t most = (size_t)problem->tunables[TUNABLE_CHUNK] * KIB;
    simd_single_prepare(&self->single, problem, op, set, SIMD_BY_SIZE);
    self->fused = loops->fused[alone][problem->kind];
    self->join = loops->join[alone];
    self->element_bytes = problem->element_bytes;
    self->result_bytes = scan_result_bytes(problem);
    self->chunk = chunk_bytes(bytes, most) / problem->element_bytes;
    self->chunks = (n + self->chunk - 1) / self->chunk;
    self->far = bytes / self->element_bytes * self->result_bytes >= SIMD_FAR_BYTES;
    self->all = (simd_part){.n = n, .carry = simd_identities[op], .path = simd_best_path()};
    if (bytes > 0)
        prepare_shares(self, problem, threads);
}

/* The threads and what they share. */
static scan_status create_team(chained *self, uint32_t threads)
{
    const scan_host *host = self->host;
    const size_t bytes = self->chunks * sizeof *self->totals;
    self->totals = host->allocate(host, bytes, LINE_BYTES);
    if (!self->totals)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the totals of %zu chunks",
                          self->chunks);
    for (size_t k = 0; k < self->chunks; k++)
        atomic_init(&self->totals[k].run, 0);
    const scan_status status = cpu_team_create(host, threads, &self->team);
    if (status != SCAN_OK)
        host->release(host, self->totals);
    return status;
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
    const bool alone = scan_elements(problem) * scan_result_bytes(problem) < TEAM_BYTES;
    const uint32_t threads = cpu_team_size(host, problem->tunables[TUNABLE_THREADS]);
    prepare(self, problem, threads);
    const scan_status status = alone || threads == 1 ? SCAN_OK : create_team(self, threads);
    if (status != SCAN_OK) {
        host->release(host, self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

/* By all threads together. */
static void run_row(chained *self, scan_buffer in, scan_buffer out)
{
    self->all.in = scan_host_pointer(in);
    self->all.out = scan_host_pointer(out);
    self->all.around = self->far && simd_can_store_around(&self->all, self->result_bytes,
                                                          self->single.group_bytes);
    self->run++;
    atomic_store_explicit(&self->taken, 0, memory_order_relaxed);
    cpu_team_run(self->team, work, self);
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    chained *self = instance;
    if (!self->team) {
        simd_single_run(&self->single, in, out);
        return SCAN_OK;
    }
    if (self->shares > 0) {
        self->in = in;
        self->out = out;
        atomic_store_explicit(&self->taken, 0, memory_order_relaxed);
        cpu_team_run(self->team, work_alone, self);
    }
    for (size_t row = self->whole; row < self->single.outer; row++) {
        const size_t first = row * self->all.n;
        run_row(self, in + first * self->element_bytes, out + first * self->result_bytes);
    }
    return SCAN_OK;
}

static void destroy(void *instance)
{
    chained *self = instance;
    cpu_team_destroy(self->team);
    self->host->release(self->host, self->totals);
    self->host->release(self->host, self);
}

static const int64_t chunks[] = {32, 64, 128, 256, 512, 1024};

static const scan_tunable tunables[] = {
    [TUNABLE_THREADS] = CPU_TEAM_THREADS(0),
    [TUNABLE_CHUNK] = SCAN_TUNABLE_LIST("chunk", "KiB of a chunk at most", 512, chunks),
    [TUNABLE_ISA] = SIMD_SET_TUNABLE,
    [TUNABLE_ACCURATE] = SIMD_ACCURATE_TUNABLE,
};

static const scan_plugin cpu_chained = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cpu_chained",
    .name = "Chained chunks in vectors",
    .version = "1.0",
    .summary = "threads: chunks in L2, a later one is reduced while this one is scanned",
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

SCAN_EXPORT_PLUGINS(&cpu_chained);
