/* vt_words.cu - the three-phase kernels for 32-bit elements */
#include "vt_kernels.cuh"

template const vt_kernels<cuda_sum<uint32_t>> &vt_kernels_of();
template const vt_kernels<cuda_sum<float>> &vt_kernels_of();
template const vt_kernels<cuda_extremum<int32_t>> &vt_kernels_of();
template const vt_kernels<cuda_extremum<uint32_t>> &vt_kernels_of();
template const vt_kernels<cuda_extremum<float>> &vt_kernels_of();
