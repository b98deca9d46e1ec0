/*
 * cuda_cub.cu - a peer: DeviceScan of NVIDIA's CUB, as it comes with the toolkit
 *
 * One pass over the data: a tile looks back for the prefixes of the tiles before it while they are
 * still being computed (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
 * Look-back", NVIDIA NVR-2016-002). Temporary storage is allocated in create; run launches and
 * waits. Counts are 64-bit at every n.
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
    return cuda_visit_library(host, problem, [&](auto functor, auto identity) {
        using T = decltype(identity);
        auto call = [=](void *temporary, size_t &bytes, const T *in, T *out, int64_t n,
                        cudaStream_t stream) {
            return inclusive ? cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, functor, n,
                                                              stream)
                             : cub::DeviceScan::ExclusiveScan(temporary, bytes, in, out, functor,
                                                              identity, n, stream);
        };
        return cuda_peer_create<T>(static_cast<cuda_context *>(context), problem, "cub::DeviceScan",
                                   call, self_p);
    });
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_cub",
    .name = "CUB DeviceScan",
    .version = cuda_library_version<CUB_VERSION>::text,
    .summary = "NVIDIA's single-pass scan with decoupled look-back",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Look-back combines the prefixes that it finds, so float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1},
    CUDA_BACKEND,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
