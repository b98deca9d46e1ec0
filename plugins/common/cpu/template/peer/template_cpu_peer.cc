/*
 * template_cpu_peer.cc - CHANGE: a peer: which scan of which library
 *
 * CHANGE: the algorithm as far as it is known, with its source; how the library is called,
 * how many threads it takes, what it cannot do, and how many bytes it moves.
 *
 * This file is complete and correct: it scans 32-bit integers with a function that stands in for
 * the library, on as many threads as it is told. Replace it line by line, wherever it says CHANGE,
 * and prove it after each change with `scanbench validate`.
 */
#include "cpu_peer.h"

#include <exception>
#include <new>

/* ---- CHANGE: the library's header instead of this stand-in ------------------- */

#include <future>
#include <vector>

namespace library
{

/* Calls work(part) for each part on a thread of its own, and waits for all. */
template <typename Work> void on_threads(unsigned threads, Work work)
{
    std::vector<std::future<void>> parts;
    for (unsigned part = 0; part < threads; part++)
        parts.push_back(std::async(std::launch::async, work, part));
    for (std::future<void> &part : parts)
        part.get();
}

/* Sums the parts, then scans each from the sum of all before. */
void scan(const uint32_t *in, uint32_t *out, uint64_t n, bool inclusive, unsigned threads)
{
    std::vector<uint32_t> sums(threads);
    const auto begin = [=](unsigned part) {
        return n / threads * part + n % threads * part / threads;
    };
    on_threads(threads, [&](unsigned part) {
        uint32_t sum = 0;
        for (uint64_t i = begin(part); i < begin(part + 1); i++)
            sum += in[i];
        sums[part] = sum;
    });
    on_threads(threads, [&](unsigned part) {
        uint32_t sum = 0;
        for (unsigned before = 0; before < part; before++)
            sum += sums[before];
        for (uint64_t i = begin(part); i < begin(part + 1); i++) {
            const uint32_t next = sum + in[i];
            out[i] = inclusive ? next : sum;
            sum = next;
        }
    });
}

} // namespace library

/* ---- the plugin ---------------------------------------------------------------- */

/* Completes all of `out` before it returns; peer->n may be 0. No exception leaves it. CHANGE. */
static scan_status call(const cpu_peer *peer, const void *in, void *out)
{
    try {
        library::scan(static_cast<const uint32_t *>(in), static_cast<uint32_t *>(out), peer->n,
                      peer->kind == SCAN_KIND_INCLUSIVE, peer->threads);
        return SCAN_OK;
    } catch (const std::bad_alloc &) {
        return peer->host->fail(peer->host, SCAN_NO_MEMORY, "no memory for the library's scan");
    } catch (const std::exception &error) {
        return peer->host->fail(peer->host, SCAN_ERROR, "the library's scan: %s", error.what());
    }
}

/* CHANGE: needs.scratch_bytes, if the library takes scratch; needs.plan and needs.release for its
 * handle, such as a pool of cpu_peer_threads(host, plugin, problem) threads. Whatever it allocates
 * or prepares at its first call belongs here. */
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *,
                          const scan_problem *problem, void **self_p)
{
    cpu_peer_needs needs = {};
    needs.call = call;
    return cpu_peer_create(host, plugin, problem, &needs, self_p);
}

/* How many threads the library may use, as peer->threads. Without this table, SCAN_TUNABLES and
 * .supports below, the plugin has one core, which all its threads share. CHANGE: leave them out if
 * the library has no threads. */
static const scan_tunable tunables[] = {CPU_PEER_THREADS};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* a peer is measured, a mock only proved */
    .id = "template_cpu_peer",
    .name = "A library's scan",                                    /* CHANGE */
    .version = "1.0",                                              /* CHANGE: the library's */
    .summary = "a stand-in for a library: two passes, in threads", /* CHANGE */
    .reference = "",                                               /* CHANGE: paper or source */
    /* CHANGE: SCAN_FLAG_IN_PLACE if the library may have in == out, _NONDETERMINISTIC if its
     * float sums depend on timing, _ALLOCATES_IN_RUN if each call allocates, as one that starts
     * threads does */
    .flags = SCAN_FLAG_ALLOCATES_IN_RUN,
    .max_n = 0, /* CHANGE: INT32_MAX if the library counts in int; 0: no limit */
    /* CHANGE: what the library can do: operators, kinds (SCAN_BIT(SCAN_KIND_INCLUSIVE) for one that
     * is inclusive only), types. Signed sums are computed as unsigned. */
    .ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32) | SCAN_BIT(SCAN_DTYPE_U32)}},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = cpu_peer_supports,
    .create = create,
    .run = cpu_peer_run,
    .destroy = cpu_peer_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
