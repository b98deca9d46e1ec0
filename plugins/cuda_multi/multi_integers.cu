/* multi_integers.cu - the kernels of cuda_multi for integers of 4 bytes */
#include "multi_instances.cuh"

template multi_kernels<cuda_sum<uint32_t>> multi_kernels_of<cuda_sum<uint32_t>>();
template multi_kernels<cuda_extremum<int32_t>> multi_kernels_of<cuda_extremum<int32_t>>();
template multi_kernels<cuda_extremum<uint32_t>> multi_kernels_of<cuda_extremum<uint32_t>>();
