/* lookback_narrow.cu - the look-back kernels for integers of 8 and 16 bits */
#include "lookback_instances.cuh"

template lookback_kernel<cuda_sum<uint8_t>> lookback_kernel_of<cuda_sum<uint8_t>>(unsigned);
template lookback_kernel<cuda_sum<uint16_t>> lookback_kernel_of<cuda_sum<uint16_t>>(unsigned);
template lookback_kernel<cuda_extremum<int8_t>> lookback_kernel_of<cuda_extremum<int8_t>>(unsigned);
template lookback_kernel<cuda_extremum<uint8_t>>
lookback_kernel_of<cuda_extremum<uint8_t>>(unsigned);
template lookback_kernel<cuda_extremum<int16_t>>
lookback_kernel_of<cuda_extremum<int16_t>>(unsigned);
template lookback_kernel<cuda_extremum<uint16_t>>
lookback_kernel_of<cuda_extremum<uint16_t>>(unsigned);
