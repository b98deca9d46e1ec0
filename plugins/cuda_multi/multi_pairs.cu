/* multi_pairs.cu - the kernels of cuda_multi for pairs */
#include "multi_instances.cuh"

template multi_kernels<cuda_affine<uint32_t>> multi_kernels_of<cuda_affine<uint32_t>>();
template multi_kernels<cuda_affine<float>> multi_kernels_of<cuda_affine<float>>();
