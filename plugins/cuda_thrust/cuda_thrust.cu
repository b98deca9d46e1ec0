/*
 * cuda_thrust.cu - a peer: the scans of NVIDIA's Thrust, with two allocators
 *
 * Thrust allocates its temporary storage in every call. cuda_thrust leaves it at
 * that, and a good part of a short scan is then cudaMalloc and cudaFree: this one
 * peer breaks the rule that `run` allocates nothing, because that is how it is used.
 * cuda_thrust_cached hands Thrust memory that create allocated, as its documentation
 * suggests. Underneath both is CUB's DeviceScan (cuda_cub.cu).
 *
 * Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "thrust_scan.h"

#include <thrust/version.h>

template <bool CACHED>
static scan_status create(const scan_host *host, void *context, const scan_problem *problem,
                          void **self_p)
{
    return cuda_visit_library(host, problem, [&](auto functor, auto identity) {
        return thrust_create(static_cast<cuda_context *>(context), problem, functor, identity,
                             CACHED, self_p);
    });
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const scan_plugin plain = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    /* Look-back takes whatever prefixes are there: float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC,
    .kinds = SCAN_KINDS_BOTH,
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .max_n = 0,
    .id = "cuda_thrust",
    .name = "Thrust",
    .version = TEXT(THRUST_VERSION),
    .summary = "NVIDIA's scan as it is called, allocating in every call",
    .reference = "NVIDIA Thrust, in the CUDA Core Compute Libraries",
    .backend = "cuda",
    .tunables = nullptr,
    .memory = &cuda_memory,
    .probe = cuda_probe,
    .supports = nullptr,
    .create = create<false>,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .get_extension = nullptr,
};

static const scan_plugin cached = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    /* Look-back takes whatever prefixes are there: float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC,
    .kinds = SCAN_KINDS_BOTH,
    .dtypes = SCAN_DTYPES_ALL,
    .ops = SCAN_OPS_ALL,
    .max_n = 0,
    .id = "cuda_thrust_cached",
    .name = "Thrust, caching allocator",
    .version = TEXT(THRUST_VERSION),
    .summary = "NVIDIA's scan with its temporary storage allocated before",
    .reference = "NVIDIA Thrust, in the CUDA Core Compute Libraries",
    .backend = "cuda",
    .tunables = nullptr,
    .memory = &cuda_memory,
    .probe = cuda_probe,
    .supports = nullptr,
    .create = create<true>,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .get_extension = nullptr,
};

SCAN_EXPORT_PLUGINS(&plain, &cached);
