/* lookback_floats.cu - the look-back kernels for floats of both sizes */
#include "lookback_instances.cuh"

template lookback_kernel<cuda_sum<float>> lookback_kernel_of<cuda_sum<float>>(unsigned);
template lookback_kernel<cuda_extremum<float>> lookback_kernel_of<cuda_extremum<float>>(unsigned);
template lookback_kernel<cuda_sum<double>> lookback_kernel_of<cuda_sum<double>>(unsigned);
template lookback_kernel<cuda_extremum<double>> lookback_kernel_of<cuda_extremum<double>>(unsigned);
