/* wave_narrow.cu - the kernels of one wave for integers of 8 and 16 bits */
#include "wave_instances.cuh"

template wave_kernel<cuda_sum<uint8_t>> wave_kernel_of<cuda_sum<uint8_t>>(unsigned);
template wave_kernel<cuda_sum<uint16_t>> wave_kernel_of<cuda_sum<uint16_t>>(unsigned);
template wave_kernel<cuda_extremum<int8_t>> wave_kernel_of<cuda_extremum<int8_t>>(unsigned);
template wave_kernel<cuda_extremum<uint8_t>> wave_kernel_of<cuda_extremum<uint8_t>>(unsigned);
template wave_kernel<cuda_extremum<int16_t>> wave_kernel_of<cuda_extremum<int16_t>>(unsigned);
template wave_kernel<cuda_extremum<uint16_t>> wave_kernel_of<cuda_extremum<uint16_t>>(unsigned);
