/* lookback_pairs.cu - the look-back kernels for pairs, whose operator does not commute */
#include "lookback_instances.cuh"

template lookback_kernel<cuda_affine<uint32_t>> lookback_kernel_of<cuda_affine<uint32_t>>(unsigned);
template lookback_kernel<cuda_affine<float>> lookback_kernel_of<cuda_affine<float>>(unsigned);
