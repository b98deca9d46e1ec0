/*
 * cpu_memcpy.c - the ceilings of CPU plugins: a copy of the same bytes; and of plugins that work in
 * place only a pass that inverts them where they lie
 *
 * Each thread copies in one of the ways of copy_ways.h, or inverts in one of invert_ways.h. Which
 * is the fastest depends on the size, the CPU and the number of threads, so all are measured. Where
 * results are wider than the input, elements are converted on their way (widen_ways.h).
 *
 * What may stay in the caches of the cores is cut into a slice for each thread, the same in every
 * run. Of more the threads take chunks in order: one that is slowed down copies less, and what is
 * read at a time lies together. (On 32 cores of an Intel Xeon the fastest way takes 148 us in
 * chunks and 225 in slices for 10^7 integers, and about as long for 10^8.)
 */
#include "copy_ways.h"
#include "cpu_team.h"
#include "invert_ways.h"
#include "widen_ways.h"

#include <stdatomic.h>

enum { TUNABLE_THREADS, TUNABLE_WAY };
enum { LINE_BYTES = 64, PAGE_BYTES = 4 << 10 };
enum { CHUNK_BYTES = 512 << 10, CHUNKS_PER_THREAD = 8 }; /* at most, at least */

/* Fewer bytes are copied by one thread however many may be used: it takes less time than to start
 * the others. A ceiling is what that many threads can do at best. */
#define TEAM_BYTES ((uint64_t)128 << 10)
#define FAR_BYTES ((uint64_t)8 << 20)

typedef struct copy {
    const scan_host *host;
    cpu_team *team; /* or NULL: only the calling thread */
    uint64_t bytes; /* of the output */
    uint64_t element_bytes, result_bytes;
    widen_loop *widen;            /* or NULL: it copies or inverts */
    const copy_instructions *set; /* or NULL: it inverts */
    const invert_instructions *inverting;
    int64_t way;
    const unsigned char *from;
    unsigned char *to;
    cpu_team_work *work;
    uint64_t chunk;      /* bytes of the output */
    atomic_ullong taken; /* bytes that threads have taken, and more at the end */
} copy;

static void copy_from(const copy *self, uint64_t begin)
{
    if (begin >= self->bytes)
        return;
    const uint64_t left = self->bytes - begin, most = left < self->chunk ? left : self->chunk;
    if (self->widen)
        self->widen(self->to + begin, self->from + begin / self->result_bytes * self->element_bytes,
                    most / self->result_bytes, (copy_way)self->way);
    else if (self->set)
        copy_bytes(self->set, (copy_way)self->way, self->to + begin, self->from + begin, most);
    else
        invert_bytes(self->inverting, (invert_way)self->way, self->to + begin, most);
}

static void copy_slice(void *context, uint32_t rank, uint32_t members)
{
    (void)members;
    const copy *self = context;
    copy_from(self, rank * self->chunk);
}

static void copy_chunks(void *context, uint32_t rank, uint32_t members)
{
    (void)rank;
    (void)members;
    copy *self = context;
    uint64_t begin = 0;
    do {
        begin = atomic_fetch_add_explicit(&self->taken, self->chunk, memory_order_relaxed);
        copy_from(self, begin);
    } while (begin < self->bytes);
}

static uint64_t whole(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void divide(copy *self, uint32_t threads)
{
    if (threads == 1 || self->bytes < FAR_BYTES) {
        self->work = copy_slice;
        self->chunk = whole((self->bytes + threads - 1) / threads, LINE_BYTES);
        return;
    }
    const uint64_t even = whole(self->bytes / threads / CHUNKS_PER_THREAD, PAGE_BYTES);
    self->work = copy_chunks;
    self->chunk = even < CHUNK_BYTES ? even : CHUNK_BYTES;
}

static bool is_in_place(const scan_plugin *plugin)
{
    return plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

static bool is_wide(const scan_problem *problem)
{
    return scan_result(problem) != problem->dtype;
}

static scan_status copy_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem)
{
    (void)context;
    const copy_way way = (copy_way)problem->tunables[TUNABLE_WAY];
    if (is_wide(problem) && !widen_way_exists(way))
        return host->fail(host, SCAN_UNSUPPORTED, "way=%d does not convert elements", (int)way);
    if (!is_in_place(plugin) && !copy_way_exists(way))
        return host->fail(host, SCAN_UNSUPPORTED, "way=%d is an instruction of x86", (int)way);
    return cpu_team_supports(host, problem->tunables[TUNABLE_THREADS]);
}

static scan_status copy_create(const scan_host *host, const scan_plugin *plugin, void *context,
                               const scan_problem *problem, void **self_p)
{
    (void)context;
    copy *self = host->allocate(host, sizeof *self, _Alignof(copy));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (copy){
        .host = host,
        .bytes = problem->n * scan_result_bytes(problem),
        .element_bytes = problem->element_bytes,
        .result_bytes = scan_result_bytes(problem),
        .widen = is_wide(problem) ? widen_loop_of(problem->dtype) : NULL,
        .set = is_in_place(plugin) ? NULL : copy_best_set(),
        .inverting = invert_best_set(),
        .way = problem->tunables[TUNABLE_WAY],
    };
    const uint32_t most = cpu_team_size(host, problem->tunables[TUNABLE_THREADS]);
    const uint32_t threads = self->bytes < TEAM_BYTES ? 1 : most;
    divide(self, threads);
    const scan_status status = threads == 1 ? SCAN_OK : cpu_team_create(host, threads, &self->team);
    if (status != SCAN_OK) {
        host->release(host, self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status copy_run(void *instance, scan_buffer in, scan_buffer out)
{
    copy *self = instance;
    self->from = scan_host_pointer(in);
    self->to = scan_host_pointer(out);
    atomic_store_explicit(&self->taken, 0, memory_order_relaxed);
    if (self->team)
        cpu_team_run(self->team, self->work, self);
    else
        copy_slice(self, 0, 1);
    return SCAN_OK;
}

static void copy_destroy(void *instance)
{
    copy *self = instance;
    cpu_team_destroy(self->team);
    self->host->release(self->host, self);
}

static const int64_t ways[] = {COPY_MEMCPY,      COPY_STREAM_AHEAD, COPY_STREAM_PAGES,
                               COPY_STREAM_NEAR, COPY_STRING,       COPY_VECTORS};
_Static_assert(sizeof ways / sizeof *ways == COPY_WAYS, "every way is a value");

static const scan_tunable tunables[] = {
    [TUNABLE_THREADS] = CPU_TEAM_THREADS(1),
    [TUNABLE_WAY] = SCAN_TUNABLE_LIST(
        "way",
        "0: memcpy; stores around the caches and prefetches 1: 3 KiB ahead, "
        "2: of four pages in turn, 3: 512 bytes ahead; 4: the string instruction; "
        "5: vectors through the caches; 0, 1, 3 and 5 widen, too",
        COPY_MEMCPY, ways),
};

static const scan_plugin cpu_memcpy = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cpu_memcpy",
    .name = "Host memory copy",
    .version = "1.0",
    .summary = "a copy of the same bytes in six ways; the fastest counts",
    .reference = "",
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = copy_supports,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

static const int64_t invert_ways[] = {INVERT_VECTORS, INVERT_AHEAD, INVERT_PAGES};
_Static_assert(sizeof invert_ways / sizeof *invert_ways == INVERT_WAYS, "every way is a value");

static const scan_tunable invert_tunables[] = {
    [TUNABLE_THREADS] = CPU_TEAM_THREADS(1),
    [TUNABLE_WAY] = SCAN_TUNABLE_LIST(
        "way", "vectors, prefetched 0: by the hardware, 1: 3 KiB ahead, 2: of four pages in turn",
        INVERT_VECTORS, invert_ways),
};

static const scan_plugin cpu_in_place = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cpu_in_place",
    .name = "Host memory inverted in place",
    .version = "1.0",
    .summary = "inverts the same bytes in place in three ways; the fastest counts",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE_ONLY,
    SCAN_TUNABLES(invert_tunables),
    .backend = "cpu",
    .supports = copy_supports,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
};

SCAN_EXPORT_PLUGINS(&cpu_memcpy, &cpu_in_place);
