/* lookback_longs.cu - the look-back kernels for 64-bit integers */
#include "lookback_instances.cuh"

template lookback_kernel<cuda_sum<uint64_t>> lookback_kernel_of<cuda_sum<uint64_t>>(unsigned);
template lookback_kernel<cuda_extremum<int64_t>>
lookback_kernel_of<cuda_extremum<int64_t>>(unsigned);
template lookback_kernel<cuda_extremum<uint64_t>>
lookback_kernel_of<cuda_extremum<uint64_t>>(unsigned);
