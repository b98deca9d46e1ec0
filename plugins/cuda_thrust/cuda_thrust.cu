/*
 * cuda_thrust.cu - a peer: the scans of NVIDIA's Thrust, with two allocators
 *
 * Thrust allocates its temporary storage in every call. cuda_thrust measures that, because Thrust
 * is usually called so; cudaMalloc and cudaFree are then a large part of a short scan.
 * cuda_thrust_cached hands Thrust memory that create allocated, as its documentation suggests.
 * Underneath both is CUB's DeviceScan (cuda_cub.cu). But Thrust's inclusive scan adds up in the
 * elements' type unless it gets an initial value; so where sums are made in another, it gets 0.
 *
 * Moves 2n elements.
 */
#include "cuda_library_ops.cuh"
#include "cuda_library_version.h"
#include "thrust_scan.h"

#include <thrust/version.h>

extern const scan_plugin cached;

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    return cuda_visit_library(host, problem, [&](auto functor, auto identity, auto pair) {
        return thrust_create(static_cast<cuda_context *>(context), problem, functor, identity, pair,
                             plugin == &cached, self_p);
    });
}

static const scan_plugin plain = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_thrust",
    .name = "Thrust",
    .version = cuda_library_version<THRUST_VERSION>::text,
    .summary = "NVIDIA's scan as it is called, allocating in every call",
    .reference = "NVIDIA Thrust, in the CUDA Core Compute Libraries",
    /* Look-back combines the prefixes that it finds, so float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ALLOCATES_IN_RUN,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = cuda_library_supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

const scan_plugin cached = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_thrust_cached",
    .name = "Thrust, caching allocator",
    .version = cuda_library_version<THRUST_VERSION>::text,
    .summary = "NVIDIA's scan with its temporary storage allocated before",
    .reference = "NVIDIA Thrust, in the CUDA Core Compute Libraries",
    .flags = SCAN_FLAG_NONDETERMINISTIC, /* as above */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    CUDA_BACKEND,
    .supports = cuda_library_supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plain, &cached);
