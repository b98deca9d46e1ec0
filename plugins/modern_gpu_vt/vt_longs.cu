/* vt_longs.cu - the three-phase kernels for 64-bit integers */
#include "vt_kernels.cuh"

template const vt_kernels<cuda_sum<uint64_t>> &vt_kernels_of();
template const vt_kernels<cuda_extremum<int64_t>> &vt_kernels_of();
template const vt_kernels<cuda_extremum<uint64_t>> &vt_kernels_of();
