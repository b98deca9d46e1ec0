/*
 * template_cpu_peer_c.c - CHANGE: a peer: which scan of which library
 *
 * CHANGE: the algorithm as far as it is known, with its source; how the library is called,
 * how many threads it takes, what it cannot do, and how many bytes it moves.
 *
 * This file is complete and correct: it scans 32-bit integers with a function that stands in for
 * the library. Replace it line by line, wherever it says CHANGE, and prove it after each change
 * with `scanbench validate`.
 */
#include "cpu_peer.h"

/* ---- CHANGE: the library's header instead of this stand-in ------------------- */

enum { LIBRARY_BLOCK = 1024 };

static uint64_t library_scratch_bytes(uint64_t n)
{
    return (n / LIBRARY_BLOCK + 1) * sizeof(uint32_t);
}

/* Sums the blocks, then scans each from the sum of all before. */
static void library_scan(const uint32_t *in, uint32_t *out, uint64_t n, int inclusive,
                         uint32_t *sums)
{
    for (uint64_t i = 0; i < n; i++)
        sums[i / LIBRARY_BLOCK] = in[i] + (i % LIBRARY_BLOCK ? sums[i / LIBRARY_BLOCK] : 0);
    uint32_t before = 0;
    for (uint64_t block = 0; block * LIBRARY_BLOCK < n; block++) {
        uint32_t sum = before;
        for (uint64_t i = block * LIBRARY_BLOCK; i < n && i / LIBRARY_BLOCK == block; i++) {
            const uint32_t next = sum + in[i];
            out[i] = inclusive ? next : sum;
            sum = next;
        }
        before += sums[block];
    }
}

/* ---- the plugin ---------------------------------------------------------------- */

/* Allocates nothing, and completes all of `out` before it returns; peer->n may be 0. CHANGE; if the
 * library can fail, return peer->host->fail(peer->host, SCAN_ERROR, "CALL: %s", words). */
static scan_status call(const cpu_peer *peer, const void *in, void *out)
{
    library_scan(in, out, peer->n, peer->kind == SCAN_KIND_INCLUSIVE, peer->scratch);
    return SCAN_OK;
}

/* CHANGE: the bytes that the library needs besides its buffers, 0 for none; its handle, if it has
 * one, as .plan and .release. Whatever it allocates or prepares at its first call belongs here. */
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    const cpu_peer_needs needs = {.call = call, .scratch_bytes = library_scratch_bytes(problem->n)};
    (void)context;
    return cpu_peer_create(host, plugin, problem, &needs, self_p);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* a peer is measured, a mock only proved */
    .id = "template_cpu_peer_c",
    .name = "A library's scan",                                  /* CHANGE */
    .version = "1.0",                                            /* CHANGE: the library's */
    .summary = "a stand-in for a library: two passes by blocks", /* CHANGE */
    .reference = "",                                             /* CHANGE: paper or source */
    /* CHANGE: SCAN_FLAG_IN_PLACE if the library may have in == out, _NONDETERMINISTIC if its
     * float sums depend on timing, _ALLOCATES_IN_RUN if each call allocates */
    .flags = 0,
    .max_n = 0, /* CHANGE: INT32_MAX if the library counts in int; 0: no limit */
    /* CHANGE: what the library can do. Signed sums are computed as unsigned. */
    .ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32) | SCAN_BIT(SCAN_DTYPE_U32)}},
    /* CHANGE: this library has no threads, and the plugin one core. For one that has some:
     *     static const scan_tunable tunables[] = {CPU_PEER_THREADS};
     * above, SCAN_TUNABLES(tunables) and .supports = cpu_peer_supports here, and peer->threads in
     * `call`. Otherwise all its threads share that core. */
    .backend = "cpu",
    .create = create,
    .run = cpu_peer_run,
    .destroy = cpu_peer_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
