/*
 * copy_ways.c - memcpy, and stores around the caches with two ways to prefetch
 *
 * What limits one core is how many lines it waits for at once. The prefetchers of
 * the hardware stop at the end of a page; prefetching a page ahead carries them
 * over it, and prefetching four pages in turn keeps four of their streams busy.
 * Which is faster depends on the CPU.
 */
#include "copy_ways.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Whole lines are stored at once, or the write buffers send them in pieces. */
enum { LINE_BYTES = 64, GROUP_LINES = 4, GROUP_BYTES = GROUP_LINES * LINE_BYTES };
enum { PAGE_BYTES = 4096, BLOCK_PAGES = GROUP_LINES, BLOCK_BYTES = BLOCK_PAGES * PAGE_BYTES };

struct copy_route {
    unsigned char *to; /* a multiple of LINE_BYTES */
    const unsigned char *from;
    size_t groups;
    const unsigned char *ahead; /* the first line to prefetch, or NULL */
    size_t line_step;           /* from there to the next of the same group */
    size_t group_step;          /* and to the first of the next group */
};

static inline void prefetch_group(const copy_route *r)
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

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void stream_avx512(copy_route r)
{
    for (; r.groups > 0; next_group(&r)) {
        prefetch_group(&r);
        for (size_t i = 0; i < GROUP_BYTES; i += sizeof(__m512i))
            _mm512_stream_si512((void *)(r.to + i), _mm512_loadu_si512(r.from + i));
    }
}

__attribute__((target("avx2"))) static void stream_avx2(copy_route r)
{
    for (; r.groups > 0; next_group(&r)) {
        prefetch_group(&r);
        for (size_t i = 0; i < GROUP_BYTES; i += sizeof(__m256i))
            _mm256_stream_si256((void *)(r.to + i), _mm256_loadu_si256((const void *)(r.from + i)));
    }
}

static void stream_sse2(copy_route r)
{
    for (; r.groups > 0; next_group(&r)) {
        prefetch_group(&r);
        for (size_t i = 0; i < GROUP_BYTES; i += sizeof(__m128i))
            _mm_stream_si128((void *)(r.to + i), _mm_loadu_si128((const void *)(r.from + i)));
    }
}

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

static void stream_portable(copy_route r)
{
    for (; r.groups > 0; next_group(&r)) {
        prefetch_group(&r);
        memcpy(r.to, r.from, GROUP_BYTES);
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
    {"AVX-512", has_avx512, stream_avx512, fence},
    {"AVX2", has_avx2, stream_avx2, fence},
    {"SSE2", always, stream_sse2, fence},
#endif
    {"plain C", always, stream_portable, nothing},
};
const size_t copy_set_count = sizeof copy_sets / sizeof *copy_sets;

const copy_instructions *copy_best_set(void)
{
    const copy_instructions *set = copy_sets;
    while (!set->available())
        set++;
    return set;
}

/* The route of a way as far as it goes: no further than what it prefetches is input. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the route writes through it */
static copy_route first_route(copy_way way, unsigned char *to, const unsigned char *from,
                              size_t bytes)
{
    copy_route r = {.to = to, .from = from, .groups = bytes / GROUP_BYTES};
    if (way == COPY_STREAM_AHEAD && bytes >= PAGE_BYTES + GROUP_BYTES) {
        r.groups = (bytes - PAGE_BYTES) / GROUP_BYTES;
        r.ahead = from + PAGE_BYTES;
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
    unsigned char *target = to;
    const unsigned char *source = from;
    const size_t misaligned = (size_t)((uintptr_t)target % LINE_BYTES);
    size_t done = misaligned > 0 ? LINE_BYTES - misaligned : 0;
    if (done > bytes)
        done = bytes;
    memcpy(target, source, done);
    while (bytes - done >= GROUP_BYTES) {
        const copy_route r = first_route(way, target + done, source + done, bytes - done);
        set->stream(r);
        done += r.groups * GROUP_BYTES;
    }
    memcpy(target + done, source + done, bytes - done);
    set->finish();
}
