/*
 * mock.h - a small, right plugin: the three-phase scan on the host. Each .c beside this
 * one is a plugin that breaks one thing of it; right.c breaks nothing.
 *
 * upsweep: the sum of each tile of `block` elements; spine: the exclusive scan of those
 * sums; downsweep: each tile again, from the sum of all before it. 32-bit sums.
 *
 *     static scan_status run(void *self, scan_buffer in, scan_buffer out)
 *     {
 *         abort();
 *         return mock_run(self, in, out);
 *     }
 *     MOCK_PLUGIN(.run = run);
 *
 * MOCK_ID, the file's name as a string, comes from the build.
 */
#ifndef MOCK_H
#define MOCK_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct mock {
    const scan_host *host;
    uint64_t n;
    uint64_t tile;   /* elements of a tile */
    uint64_t tiles;  /* whole and begun ones */
    uint64_t runs;   /* so far */
    uint32_t *spine; /* a sum a tile */
    bool inclusive;
} mock;

static inline uint64_t mock_count(const mock *m, uint64_t tile)
{
    const uint64_t left = m->n - tile * m->tile;
    return left < m->tile ? left : m->tile;
}

static inline uint32_t mock_sum(const uint32_t *x, uint64_t count)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

static inline void mock_upsweep(mock *m, const uint32_t *x)
{
    for (uint64_t t = 0; t < m->tiles; t++)
        m->spine[t] = mock_sum(x + t * m->tile, mock_count(m, t));
}

static inline void mock_spine(mock *m)
{
    uint32_t carry = 0;
    for (uint64_t t = 0; t < m->tiles; t++) {
        const uint32_t total = m->spine[t];
        m->spine[t] = carry;
        carry += total;
    }
}

static inline void mock_tile(const mock *m, const uint32_t *x, uint32_t *y, uint64_t count,
                             uint32_t carry)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t next = carry + x[i];
        y[i] = m->inclusive ? next : carry;
        carry = next;
    }
}

static inline void mock_downsweep(const mock *m, const uint32_t *x, uint32_t *y)
{
    for (uint64_t t = 0; t < m->tiles; t++)
        mock_tile(m, x + t * m->tile, y + t * m->tile, mock_count(m, t), m->spine[t]);
}

static inline void mock_scan(mock *m, const uint32_t *x, uint32_t *y)
{
    mock_upsweep(m, x);
    mock_spine(m);
    mock_downsweep(m, x, y);
    m->runs++;
}

static inline scan_status mock_create(const scan_host *host, const scan_plugin *plugin,
                                      void *context, const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    mock *m = host->allocate(host, sizeof *m, _Alignof(mock));
    if (!m)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *m = (mock){.host = host,
                .n = problem->n,
                .tile = (uint64_t)problem->tunables[0],
                .inclusive = problem->kind == SCAN_KIND_INCLUSIVE};
    m->tiles = (m->n + m->tile - 1) / m->tile;
    m->spine = host->allocate(host, (m->tiles + 1) * sizeof *m->spine, 64);
    if (!m->spine) {
        host->release(host, m);
        return host->fail(host, SCAN_NO_MEMORY, "no memory for a spine of %llu tiles",
                          (unsigned long long)m->tiles);
    }
    *self_p = m;
    return SCAN_OK;
}

static inline scan_status mock_run(void *self, scan_buffer in, scan_buffer out)
{
    mock_scan(self, scan_host_pointer(in), scan_host_pointer(out));
    return SCAN_OK;
}

static inline void mock_destroy(void *self)
{
    mock *m = self;
    m->host->release(m->host, m->spine);
    m->host->release(m->host, m);
}

static inline scan_status mock_probe(const scan_host *host, const scan_plugin *plugin,
                                     uint32_t index, scan_device *device)
{
    (void)plugin;
    if (index > 0)
        return host->fail(host, SCAN_UNAVAILABLE, "there is one mock device");
    memcpy(device->name, "Mock", sizeof "Mock");
    return SCAN_OK;
}

static inline void mock_sleep(long milliseconds)
{
    const struct timespec time = {.tv_sec = milliseconds / 1000,
                                  .tv_nsec = milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static inline void mock_hang(void)
{
    for (;;)
        pause();
}

/* By way of a volatile pointer, so that the compiler does not see it coming. */
static inline void mock_crash(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

/* Always the first of the tunables: mock_create reads the tile there. */
#define MOCK_BLOCK SCAN_TUNABLE_RANGE("block", "elements per tile", 64, 4, 1024)
static const scan_tunable mock_tunables[] = {MOCK_BLOCK};

/* The right plugin with what a broken one gives instead. */
#define MOCK_PLUGIN(...)                                                \
    static const scan_plugin mock_plugin = {                            \
        .struct_size = sizeof(scan_plugin),                             \
        .role = SCAN_ROLE_MOCK,                                         \
        .id = MOCK_ID,                                                  \
        .name = MOCK_ID,                                                \
        .version = "1.0",                                               \
        .summary = "a plugin for the harness' tests",                   \
        .reference = "",                                                \
        .ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH,                          \
                 SCAN_BIT(SCAN_DTYPE_I32) | SCAN_BIT(SCAN_DTYPE_U32)}}, \
        SCAN_TUNABLES(mock_tunables),                                   \
        .backend = "cpu",                                               \
        .create = mock_create,                                          \
        .run = mock_run,                                                \
        .destroy = mock_destroy,                                        \
        __VA_ARGS__};                                                   \
    SCAN_EXPORT_PLUGINS(&mock_plugin)

#endif
