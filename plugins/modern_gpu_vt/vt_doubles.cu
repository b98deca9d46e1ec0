/* vt_doubles.cu - the three-phase kernels for 64-bit floats */
#include "vt_kernels.cuh"

template const vt_kernels<cuda_sum<double>> &vt_kernels_of();
template const vt_kernels<cuda_extremum<double>> &vt_kernels_of();
