/*
 * template_cuda_peer.cu - CHANGE: a peer: which scan of which library
 *
 * CHANGE: the algorithm as far as it is known, with its source; how the library is called,
 * what it cannot do, and how many bytes it moves.
 *
 * This file is complete and correct: it scans 32-bit integers with CUB, which comes with the
 * toolkit and stands in for the library. Replace it line by line, wherever it says CHANGE, and
 * prove it after each change with `scanbench validate`. cuda_cub.cu shows a library that has every
 * type and operator.
 */
#include "cuda_peer.cuh"

#include <cub/device/device_scan.cuh> /* CHANGE: the library's header */

/* With temporary == nullptr the call only says how many bytes it needs; otherwise it launches the
 * scan on the stream, and the shared code waits for it. CHANGE: a library that needs no scratch,
 * has no stream argument, or waits by itself is called in another form (cuda_peer.cuh):
 *     [](const uint32_t *in, uint32_t *out, int64_t n) { library_scan(out, in, n); }
 * n may be 0. */
static scan_status create(const scan_host *, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    auto call = [=](void *temporary, size_t &bytes, const uint32_t *in, uint32_t *out, int64_t n,
                    cudaStream_t stream) {
        return inclusive ? cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, n, stream)
                         : cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, n, stream);
    };
    return cuda_peer_create<uint32_t>(static_cast<cuda_context *>(context), problem,
                                      "cub::DeviceScan", call, self_p);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* a peer is measured, a mock only proved */
    .id = "template_cuda_peer",
    .name = "A library's scan",                 /* CHANGE */
    .version = "1.0",                           /* CHANGE: the library's */
    .summary = "a stand-in for a library: CUB", /* CHANGE */
    .reference = "",                            /* CHANGE: paper or source */
    /* CHANGE: SCAN_FLAG_IN_PLACE if the library may have in == out, _NONDETERMINISTIC if its
     * float sums depend on timing, _ALLOCATES_IN_RUN if each call allocates */
    .flags = 0,
    .max_n = 0, /* CHANGE: INT32_MAX if the library counts in int; 0: no limit */
    /* CHANGE: what the library can do. Signed sums are computed as unsigned. */
    .ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32) | SCAN_BIT(SCAN_DTYPE_U32)}},
    CUDA_BACKEND,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
