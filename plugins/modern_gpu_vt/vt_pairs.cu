/* vt_pairs.cu - the three-phase kernels for pairs, whose operator does not commute */
#include "vt_kernels.cuh"

template const vt_kernels<cuda_affine<uint32_t>> &vt_kernels_of();
template const vt_kernels<cuda_affine<float>> &vt_kernels_of();
