/*
 * cuda_cub_rows.cu - a peer: a call of CUB's DeviceScan for each row
 *
 * What a program does that has a scan of one array only. The calls follow each other on one stream
 * and share their temporary storage; each is two kernels, so many short rows are a matter of
 * launches. More than 65,536 rows are refused.
 *
 * The rest is cuda_cub's. Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "cuda_library_version.h"
#include "cuda_peer.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

enum : uint64_t {
    MOST_ROWS = 65536,
    /* More launches than this do not fit behind the gate that delays a timed run. */
    MOST_ROWS_GATED = 256
};

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    const uint64_t rows = scan_rows(problem);
    if (rows <= MOST_ROWS)
        return cuda_library_supports(host, plugin, context, problem);
    return host->fail(host, SCAN_UNSUPPORTED, "%llu rows: with a call for each, 65536 at most",
                      static_cast<unsigned long long>(rows));
}

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    const uint64_t rows = scan_rows(problem);
    auto *cuda = static_cast<cuda_context *>(context);
    return cuda_visit_library(host, problem, [&](auto functor, auto identity, auto pair) {
        using From = typename decltype(pair)::from;
        using To = typename decltype(pair)::to;
        auto call = [=](void *temporary, size_t &bytes, const From *in, To *out, int64_t n,
                        cudaStream_t stream) {
            cudaError_t error = cudaSuccess;
            const uint64_t calls = temporary == nullptr ? 1 : rows; /* one asks for the bytes */
            if (calls > MOST_ROWS_GATED)
                cuda_open_gate(cuda);
            for (uint64_t row = 0; row < calls && error == cudaSuccess; row++) {
                const uint64_t first = row * static_cast<uint64_t>(n);
                error = inclusive ? cub::DeviceScan::InclusiveScan(temporary, bytes, in + first,
                                                                   out + first, functor, n, stream)
                                  : cub::DeviceScan::ExclusiveScan(temporary, bytes, in + first,
                                                                   out + first, functor, identity,
                                                                   n, stream);
            }
            return error;
        };
        return cuda_peer_create<To, From>(cuda, problem, "cub::DeviceScan", call, self_p);
    });
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_cub_rows",
    .name = "CUB DeviceScan for each row",
    .version = cuda_library_version<CUB_VERSION>::text,
    .summary = "a call of NVIDIA's scan for each row, up to 65,536 of them",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Look-back combines the prefixes that it finds, so float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ROWS,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
