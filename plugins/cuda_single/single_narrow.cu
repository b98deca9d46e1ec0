/* single_narrow.cu - the kernels of one block or one cluster for integers of 8 and 16 bits */
#include "single_instances.cuh"

template single_kernel<cuda_sum<uint8_t>> single_kernel_of<cuda_sum<uint8_t>>(unsigned);
template single_kernel<cuda_sum<uint16_t>> single_kernel_of<cuda_sum<uint16_t>>(unsigned);
template single_kernel<cuda_extremum<int8_t>> single_kernel_of<cuda_extremum<int8_t>>(unsigned);
template single_kernel<cuda_extremum<uint8_t>> single_kernel_of<cuda_extremum<uint8_t>>(unsigned);
template single_kernel<cuda_extremum<int16_t>> single_kernel_of<cuda_extremum<int16_t>>(unsigned);
template single_kernel<cuda_extremum<uint16_t>> single_kernel_of<cuda_extremum<uint16_t>>(unsigned);
