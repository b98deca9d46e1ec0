/* lookback_halves.cu - the look-back kernels for floats of 16 bits */
#include "lookback_instances.cuh"

template lookback_kernel<cuda_sum<cuda_f16>> lookback_kernel_of<cuda_sum<cuda_f16>>(unsigned);
template lookback_kernel<cuda_extremum<cuda_f16>>
lookback_kernel_of<cuda_extremum<cuda_f16>>(unsigned);
template lookback_kernel<cuda_sum<cuda_bf16>> lookback_kernel_of<cuda_sum<cuda_bf16>>(unsigned);
template lookback_kernel<cuda_extremum<cuda_bf16>>
lookback_kernel_of<cuda_extremum<cuda_bf16>>(unsigned);
