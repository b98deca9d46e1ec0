/*
 * cuda_cub_segmented.cu - a peer: DeviceSegmentedScan of NVIDIA's CUB, with rows as segments
 *
 * A block scans a segment, however long it is. There is no call for segments of one size: offsets
 * come from an iterator that multiplies, so none are read.
 *
 * Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "cuda_library_version.h"
#include "cuda_peer.cuh"

#include <cub/device/device_segmented_scan.cuh>
#include <cub/version.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

/* Where a row begins. */
struct beginning {
    int64_t length;

    __host__ __device__ int64_t operator()(int64_t row) const
    {
        return row * length;
    }
};

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    const auto rows = static_cast<int64_t>(scan_rows(problem));
    return cuda_visit_library(host, problem, [&](auto functor, auto identity, auto pair) {
        using From = typename decltype(pair)::from;
        using To = typename decltype(pair)::to;
        auto call = [=](void *temporary, size_t &bytes, const From *in, To *out, int64_t n,
                        cudaStream_t stream) {
            const auto begins = thrust::make_transform_iterator(
                thrust::counting_iterator<int64_t>(0), beginning{n});
            return inclusive
                       ? cub::DeviceSegmentedScan::InclusiveSegmentedScan(
                             temporary, bytes, in, out, begins, begins + 1, rows, functor, stream)
                       : cub::DeviceSegmentedScan::ExclusiveSegmentedScan(
                             temporary, bytes, in, out, begins, begins + 1, rows, functor, identity,
                             stream);
        };
        return cuda_peer_create<To, From>(static_cast<cuda_context *>(context), problem,
                                          "cub::DeviceSegmentedScan", call, self_p);
    });
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_cub_segmented",
    .name = "CUB DeviceSegmentedScan",
    .version = cuda_library_version<CUB_VERSION>::text,
    .summary = "NVIDIA's scan of segments, a block for each, with rows as segments",
    .reference = "",
    .flags = SCAN_FLAG_ROWS,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = cuda_library_supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
