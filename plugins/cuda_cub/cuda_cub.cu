/*
 * cuda_cub.cu - a peer: DeviceScan of NVIDIA's CUB, as it comes with the toolkit, and once more as
 * cuda_cub_newest where other headers are named (SCANBENCH_CCCL)
 *
 * One pass over the data: a tile looks back for the prefixes of the tiles before it while they are
 * still being computed (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
 * Look-back", NVIDIA NVR-2016-002). Temporary storage is allocated in create; run launches and
 * waits. Counts are 64-bit at every n.
 *
 * What it adds up in is the type that the operator returns. So plus<float> makes sums of floats of
 * 16 bits in f32, each rounded once when it is stored, and plus<uint32_t> sums of bytes in 32 bits
 * (cuda_library_ops.cuh).
 *
 * Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "cuda_library_version.h"
#include "cuda_peer.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    return cuda_visit_library(host, problem, [&](auto functor, auto identity, auto pair) {
        using From = typename decltype(pair)::from;
        using To = typename decltype(pair)::to;
        auto call = [=](void *temporary, size_t &bytes, const From *in, To *out, int64_t n,
                        cudaStream_t stream) {
            return inclusive ? cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, functor, n,
                                                              stream)
                             : cub::DeviceScan::ExclusiveScan(temporary, bytes, in, out, functor,
                                                              identity, n, stream);
        };
        return cuda_peer_create<To, From>(static_cast<cuda_context *>(context), problem,
                                          "cub::DeviceScan", call, self_p);
    });
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
#ifdef CUDA_CUB_NEWEST
    .id = "cuda_cub_newest",
#else
    .id = "cuda_cub",
#endif
    .name = "CUB DeviceScan",
    .version = cuda_library_version<CUB_VERSION>::text,
    .summary = "NVIDIA's single-pass scan with decoupled look-back",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Look-back combines the prefixes that it finds, so float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = cuda_library_supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
