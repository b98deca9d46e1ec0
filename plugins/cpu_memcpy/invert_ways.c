/*
 * invert_ways.c - vectors through the caches, with three ways to prefetch: see copy_ways.c
 */
#include "invert_ways.h"

#include <stdint.h>
#include <string.h>

enum { LINE_BYTES = 64, GROUP_LINES = 4, GROUP_BYTES = GROUP_LINES * LINE_BYTES };
enum { AHEAD_GROUPS = 12, PAGE_BYTES = 4096, PAGE_GROUPS = PAGE_BYTES / GROUP_BYTES };

/* A vector of whatever width the instructions have, at any address. */
typedef uint64_t cache_line __attribute__((vector_size(LINE_BYTES), aligned(1), may_alias));

/* Prefetches the lines that a way wants before group i of `count`. They are stored to, too. */
static inline __attribute__((always_inline)) void prefetch_group(const unsigned char *at, size_t i,
                                                                 size_t count, invert_way way)
{
    if (way == INVERT_AHEAD && i + AHEAD_GROUPS < count)
        for (size_t k = 0; k < GROUP_LINES; k++)
            __builtin_prefetch(at + (i + AHEAD_GROUPS) * GROUP_BYTES + k * LINE_BYTES, 1);
    /* A block is four pages: its first to last groups prefetch one line of each of the next four.
     */
    const size_t block = (size_t)GROUP_LINES * PAGE_GROUPS, first = i - i % block + block;
    if (way == INVERT_PAGES && first + block <= count)
        for (size_t k = 0; k < GROUP_LINES; k++)
            __builtin_prefetch(at + first * GROUP_BYTES + k * PAGE_BYTES + i % block * LINE_BYTES,
                               1);
}

static inline __attribute__((always_inline)) void loop(unsigned char *at, size_t count,
                                                       invert_way way)
{
    for (size_t i = 0; i < count; i++) {
        prefetch_group(at, i, count, way);
        cache_line *lines = (cache_line *)(void *)(at + i * GROUP_BYTES);
        for (size_t k = 0; k < GROUP_LINES; k++)
            lines[k] = ~lines[k];
    }
}

/* Each way has a loop of its own. */
static inline __attribute__((always_inline)) void loops(unsigned char *at, size_t count,
                                                        invert_way way)
{
    if (way == INVERT_AHEAD)
        loop(at, count, INVERT_AHEAD);
    else if (way == INVERT_PAGES)
        loop(at, count, INVERT_PAGES);
    else
        loop(at, count, INVERT_VECTORS);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void in_avx512(unsigned char *at, size_t count,
                                                         invert_way way)
{
    loops(at, count, way);
}

__attribute__((target("avx2"))) static void in_avx2(unsigned char *at, size_t count, invert_way way)
{
    loops(at, count, way);
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#endif

static void portable(unsigned char *at, size_t count, invert_way way)
{
    loops(at, count, way);
}

static bool always(void)
{
    return true;
}

const invert_instructions invert_sets[] = {
#if defined(__x86_64__)
    {"AVX-512", has_avx512, in_avx512},
    {"AVX2", has_avx2, in_avx2},
#endif
    {"plain C", always, portable},
};
const size_t invert_set_count = sizeof invert_sets / sizeof *invert_sets;

const invert_instructions *invert_best_set(void)
{
    const invert_instructions *set = invert_sets;
    while (!set->available())
        set++;
    return set;
}

static void invert_few(unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)~at[i];
}

void invert_bytes(const invert_instructions *set, invert_way way, void *at, size_t bytes)
{
    unsigned char *from = at;
    const size_t misaligned = (size_t)((uintptr_t)from % LINE_BYTES);
    size_t front = misaligned > 0 ? LINE_BYTES - misaligned : 0;
    if (front > bytes)
        front = bytes;
    const size_t groups = (bytes - front) / GROUP_BYTES;
    invert_few(from, front);
    set->groups(from + front, groups, way);
    invert_few(from + front + groups * GROUP_BYTES, bytes - front - groups * GROUP_BYTES);
}
