/*
 * cuda_cub_by_key.cu - a peer: DeviceScan by key of NVIDIA's CUB, with the row as the key
 *
 * A scan begins anew where the key changes. Keys are not read: an iterator divides an element's
 * index by the length of a row. Where indices have 32 bits that is a multiplication, otherwise a
 * division of 64 bits.
 *
 * The rest is cuda_cub's. Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "cuda_library_version.h"
#include "cuda_peer.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

/* i / length of 32-bit i. length > 1: with 2^64 / length, rounded up, the product is exact. */
struct short_rows {
    uint64_t inverse;

    explicit short_rows(uint64_t length) : inverse(length > 1 ? ~UINT64_C(0) / length + 1 : 0)
    {
    }
    __host__ __device__ uint32_t operator()(uint32_t i) const
    {
#ifdef __CUDA_ARCH__
        return inverse == 0 ? i : static_cast<uint32_t>(__umul64hi(i, inverse));
#else
        return inverse == 0
                   ? i
                   : static_cast<uint32_t>(static_cast<unsigned __int128>(i) * inverse >> 64);
#endif
    }
};

struct long_rows {
    uint64_t length;

    explicit long_rows(uint64_t given) : length(given)
    {
    }
    __host__ __device__ uint64_t operator()(uint64_t i) const
    {
        return i / length;
    }
};

/* A scan of elements that are numbered by Index. */
template <typename Index, typename Rows> struct by_key {
    uint64_t rows;
    bool inclusive;

    template <typename Functor, typename T, typename From, typename To>
    cudaError_t operator()(Functor functor, T identity, void *temporary, size_t &bytes,
                           const From *in, To *out, int64_t n, cudaStream_t stream) const
    {
        const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<Index>(0),
                                                          Rows(static_cast<uint64_t>(n)));
        const Index count = static_cast<Index>(rows * static_cast<uint64_t>(n));
        const auto equal = cuda::std::equal_to<>();
        return inclusive
                   ? cub::DeviceScan::InclusiveScanByKey(temporary, bytes, keys, in, out, functor,
                                                         count, equal, stream)
                   : cub::DeviceScan::ExclusiveScanByKey(temporary, bytes, keys, in, out, functor,
                                                         identity, count, equal, stream);
    }
};

template <typename Scan>
static scan_status create_with(Scan scan, const scan_host *host, void *context,
                               const scan_problem *problem, void **self_p)
{
    return cuda_visit_library(host, problem, [&](auto functor, auto identity, auto pair) {
        using From = typename decltype(pair)::from;
        using To = typename decltype(pair)::to;
        auto call = [=](void *temporary, size_t &bytes, const From *in, To *out, int64_t n,
                        cudaStream_t stream) {
            return scan(functor, identity, temporary, bytes, in, out, n, stream);
        };
        return cuda_peer_create<To, From>(static_cast<cuda_context *>(context), problem,
                                          "cub::DeviceScan by key", call, self_p);
    });
}

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    const uint64_t rows = scan_rows(problem);
    if (scan_elements(problem) > UINT32_MAX)
        return create_with(by_key<uint64_t, long_rows>{rows, inclusive}, host, context, problem,
                           self_p);
    return create_with(by_key<uint32_t, short_rows>{rows, inclusive}, host, context, problem,
                       self_p);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_cub_by_key",
    .name = "CUB DeviceScan by key",
    .version = cuda_library_version<CUB_VERSION>::text,
    .summary = "NVIDIA's single-pass scan of rows, with the row as the key",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Look-back combines the prefixes that it finds, so float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ROWS,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = cuda_library_supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
