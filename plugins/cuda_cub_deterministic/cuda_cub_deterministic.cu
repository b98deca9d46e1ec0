/*
 * cuda_cub_deterministic.cu - a peer: CUB's DeviceScan that is asked for the same bits in every run
 *
 * Only sums of floats have another kernel for that (determinism::run_to_run); all else is what
 * cuda_cub measures. It came with CCCL 3.3, in the form with an execution environment, which
 * allocates temporary storage from the device's pool in each call.
 *
 * Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "cuda_library_version.h"
#include "cuda_peer.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/stream_ref>

/* Sums in f32 and f64, whatever the elements are. */
template <typename Functor> inline constexpr bool is_float_sum = false;
template <> inline constexpr bool is_float_sum<cuda::std::plus<float>> = true;
template <> inline constexpr bool is_float_sum<cuda::std::plus<double>> = true;

static scan_status refuse(const scan_host *host)
{
    return host->fail(host, SCAN_UNSUPPORTED,
                      "only sums of floats depend on the order; take cuda_cub for the others");
}

static scan_status supports(const scan_host *host, const scan_plugin *, void *,
                            const scan_problem *problem)
{
    return cuda_visit_library(host, problem, [&](auto functor, auto, auto) {
        return is_float_sum<decltype(functor)> ? SCAN_OK : refuse(host);
    });
}

template <typename To, typename From, typename Functor>
static scan_status create_sum(cuda_context *cuda, const scan_problem *problem, Functor functor,
                              void **self_p)
{
    const bool inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    auto call = [=](const From *in, To *out, int64_t n, cudaStream_t stream) {
        const auto environment = cuda::std::execution::env{
            cuda::stream_ref{stream},
            cuda::execution::require(cuda::execution::determinism::run_to_run)};
        return inclusive ? cub::DeviceScan::InclusiveScan(in, out, functor, n, environment)
                         : cub::DeviceScan::ExclusiveScan(in, out, functor, functor(0, 0), n,
                                                          environment);
    };
    return cuda_peer_create<To, From>(cuda, problem, "cub::DeviceScan", call, self_p);
}

static scan_status create(const scan_host *host, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    return cuda_visit_library(host, problem, [&](auto functor, auto, auto pair) {
        if constexpr (is_float_sum<decltype(functor)>)
            return create_sum<typename decltype(pair)::to, typename decltype(pair)::from>(
                static_cast<cuda_context *>(context), problem, functor, self_p);
        else
            return refuse(host);
    });
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_cub_deterministic",
    .name = "CUB DeviceScan, run-to-run deterministic",
    .version = cuda_library_version<CUB_VERSION>::text,
    .summary = "NVIDIA's scan of floats that has the same bits in every run",
    .reference = "",
    .flags = SCAN_FLAG_ALLOCATES_IN_RUN,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
