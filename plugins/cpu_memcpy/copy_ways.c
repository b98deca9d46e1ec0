/*
 * copy_ways.c - memcpy, the CPU's string instruction, and vectors: through the caches, or around
 * them with three ways to prefetch
 *
 * What limits one core is how many lines it waits for at once. The prefetchers of the hardware stop
 * at the end of a page; prefetching somewhat ahead carries them over it, and prefetching four pages
 * in turn keeps four of their streams busy. Which is fastest depends on the CPU, on the size, and
 * on what else uses the memory: in memory that is busy prefetching far ahead loses, in idle memory
 * it wins.
 */
#include "copy_ways.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Whole lines are stored at once, or the write buffers send them in pieces. */
enum { LINE_BYTES = 64, GROUP_LINES = 4, GROUP_BYTES = GROUP_LINES * LINE_BYTES };
enum {
    KIB = 1024,
    PAGE_BYTES = 4 * KIB,
    BLOCK_PAGES = GROUP_LINES,
    BLOCK_BYTES = BLOCK_PAGES * PAGE_BYTES
};

struct copy_route {
    unsigned char *to; /* a multiple of LINE_BYTES */
    const unsigned char *from;
    size_t groups;
    const unsigned char *ahead; /* the first line to prefetch, or NULL */
    size_t line_step;           /* from there to the next of the same group */
    size_t group_step;          /* and to the first of the next group */
};

/* Inlined always: GCC takes a call of a function that only prefetches for one without effect. */
static inline __attribute__((always_inline)) void prefetch_group(const copy_route *r)
{
    if (!r->ahead)
        return;
    for (size_t i = 0; i < GROUP_LINES; i++)
        __builtin_prefetch(r->ahead + i * r->line_step);
}

static inline void next_group(copy_route *r)
{
    r->to += GROUP_BYTES;
    r->from += GROUP_BYTES;
    if (r->ahead)
        r->ahead += r->group_step;
    r->groups--;
}

/* Keeps the compiler from turning a loop of loads and stores into a call of memcpy. */
static inline void keep_loop(void)
{
    __asm__ __volatile__("" ::: "memory");
}

#if defined(__x86_64__)
#define COPY_LOOPS(set, isa, vector, load, store_around, store)                     \
    __attribute__((target(isa))) static void around_##set(copy_route r)             \
    {                                                                               \
        for (; r.groups > 0; next_group(&r)) {                                      \
            prefetch_group(&r);                                                     \
            for (size_t i = 0; i < GROUP_BYTES; i += sizeof(vector))                \
                store_around((void *)(r.to + i), load((const void *)(r.from + i))); \
        }                                                                           \
    }                                                                               \
    __attribute__((target(isa))) static void through_##set(copy_route r)            \
    {                                                                               \
        for (; r.groups > 0; next_group(&r)) {                                      \
            for (size_t i = 0; i < GROUP_BYTES; i += sizeof(vector))                \
                store((void *)(r.to + i), load((const void *)(r.from + i)));        \
            keep_loop();                                                            \
        }                                                                           \
    }
COPY_LOOPS(avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512, _mm512_storeu_si512)
COPY_LOOPS(avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256, _mm256_storeu_si256)
COPY_LOOPS(sse2, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128, _mm_storeu_si128)

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static void fence(void)
{
    _mm_sfence();
}
#endif

static void portable(copy_route r)
{
    for (; r.groups > 0; next_group(&r)) {
        prefetch_group(&r);
        memcpy(r.to, r.from, GROUP_BYTES);
        keep_loop();
    }
}

static bool always(void)
{
    return true;
}

static void nothing(void)
{
}

const copy_instructions copy_sets[] = {
#if defined(__x86_64__)
    {"AVX-512", has_avx512, around_avx512, through_avx512, fence},
    {"AVX2", has_avx2, around_avx2, through_avx2, fence},
    {"SSE2", always, around_sse2, through_sse2, fence},
#endif
    {"plain C", always, portable, portable, nothing},
};
const size_t copy_set_count = sizeof copy_sets / sizeof *copy_sets;

const copy_instructions *copy_best_set(void)
{
    const copy_instructions *set = copy_sets;
    while (!set->available())
        set++;
    return set;
}

bool copy_way_exists(copy_way way)
{
#if defined(__x86_64__)
    return way < COPY_WAYS;
#else
    return way < COPY_WAYS && way != COPY_STRING;
#endif
}

static void copy_string(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
    __asm__ __volatile__("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
#else
    memcpy(to, from, bytes);
#endif
}

/* How far ahead a way prefetches in order. */
static size_t bytes_ahead(copy_way way)
{
    return way == COPY_STREAM_AHEAD  ? 3 * KIB
           : way == COPY_STREAM_NEAR ? (size_t)8 * LINE_BYTES
                                     : 0;
}

/* The route of a way as far as it goes: no further than what it prefetches is input. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the route writes through it */
static copy_route first_route(copy_way way, unsigned char *to, const unsigned char *from,
                              size_t bytes)
{
    copy_route r = {.to = to, .from = from, .groups = bytes / GROUP_BYTES};
    const size_t distance = bytes_ahead(way);
    if (distance > 0 && bytes >= distance + GROUP_BYTES) {
        r.groups = (bytes - distance) / GROUP_BYTES;
        r.ahead = from + distance;
        r.line_step = LINE_BYTES;
        r.group_step = GROUP_BYTES;
    } else if (way == COPY_STREAM_PAGES && bytes >= (size_t)2 * BLOCK_BYTES) {
        r.groups = BLOCK_BYTES / GROUP_BYTES;
        r.ahead = from + BLOCK_BYTES;
        r.line_step = PAGE_BYTES;
        r.group_step = LINE_BYTES;
    }
    return r;
}

void copy_bytes(const copy_instructions *set, copy_way way, void *to, const void *from,
                size_t bytes)
{
    if (way == COPY_MEMCPY) {
        memcpy(to, from, bytes);
        return;
    }
    if (way == COPY_STRING) {
        copy_string(to, from, bytes);
        return;
    }
    void (*const loop)(copy_route) = way == COPY_VECTORS ? set->through : set->around;
    unsigned char *target = to;
    const unsigned char *source = from;
    const size_t misaligned = (size_t)((uintptr_t)target % LINE_BYTES);
    size_t done = misaligned > 0 ? LINE_BYTES - misaligned : 0;
    if (done > bytes)
        done = bytes;
    memcpy(target, source, done);
    while (bytes - done >= GROUP_BYTES) {
        const copy_route r = first_route(way, target + done, source + done, bytes - done);
        loop(r);
        done += r.groups * GROUP_BYTES;
    }
    memcpy(target + done, source + done, bytes - done);
    set->finish();
}
