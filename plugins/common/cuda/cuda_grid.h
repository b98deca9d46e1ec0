/*
 * cuda_grid.h - how a kernel is launched: its grid, its clusters, its place after another kernel
 */
#ifndef CUDA_GRID_H
#define CUDA_GRID_H

#include <cstdint>
#include <cuda_runtime.h>

/* A parameter whose type is not deduced from the argument, so that 1 can be passed for a bool. */
template <typename T> struct cuda_parameter {
    using type = T;
};

struct cuda_grid {
    uint64_t blocks;
    unsigned threads; /* a block */
    uint64_t shared;  /* bytes of dynamic shared memory a block */
    /* May the kernel overlap the end of the kernel before it, which saves the microsecond between
     * two kernels (programmatic dependent launch, from compute capability 9.0 on)? Only for a
     * kernel that cuda_prepare has loaded and that begins with cuda_wait_for_previous, because
     * nothing else orders it after the previous kernel. */
    bool overlaps = false;
    /* Blocks of a cluster, from compute capability 9.0 on; divides `blocks`. */
    unsigned cluster = 1;
    bool together = false; /* begin all blocks at once, or none (a cooperative launch)? */
};

/* Waits until the kernels launched before have finished and their writes can be seen. It costs
 * nothing in a kernel that was not launched to overlap. */
__device__ inline void cuda_wait_for_previous()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* Where every block has come here or ended, the next kernel may begin, if it was launched to
 * overlap. It still waits for this one to finish before it uses what this one writes. */
__device__ inline void cuda_let_next_begin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

inline cudaLaunchAttribute cuda_cluster_attribute(unsigned blocks)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    return attribute;
}

/* Launches kernel(arguments...) on the stream, and nothing else. */
template <typename... Parameters>
cudaError_t cuda_launch_on(cudaStream_t stream, const cuda_grid &grid,
                           void (*kernel)(Parameters...),
                           typename cuda_parameter<Parameters>::type... arguments)
{
    cudaLaunchAttribute attributes[3] = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(grid.blocks));
    config.blockDim = dim3(grid.threads);
    config.dynamicSmemBytes = grid.shared;
    config.stream = stream;
    config.attrs = attributes;
    if (grid.overlaps) {
        cudaLaunchAttribute *overlap = &attributes[config.numAttrs++];
        overlap->id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap->val.programmaticStreamSerializationAllowed = 1;
    }
    if (grid.cluster > 1)
        attributes[config.numAttrs++] = cuda_cluster_attribute(grid.cluster);
    if (grid.together) {
        cudaLaunchAttribute *together = &attributes[config.numAttrs++];
        together->id = cudaLaunchAttributeCooperative;
        together->val.cooperative = 1;
    }
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

#endif
