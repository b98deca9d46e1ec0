/* lookback_integers.cu - the look-back kernels for 32-bit integers */
#include "lookback_instances.cuh"

template lookback_kernel<cuda_sum<uint32_t>> lookback_kernel_of<cuda_sum<uint32_t>>(unsigned);
template lookback_kernel<cuda_extremum<int32_t>>
lookback_kernel_of<cuda_extremum<int32_t>>(unsigned);
template lookback_kernel<cuda_extremum<uint32_t>>
lookback_kernel_of<cuda_extremum<uint32_t>>(unsigned);
