/* multi_longs.cu - the kernels of cuda_multi for integers of 8 bytes */
#include "multi_instances.cuh"

template multi_kernels<cuda_sum<uint64_t>> multi_kernels_of<cuda_sum<uint64_t>>();
template multi_kernels<cuda_extremum<int64_t>> multi_kernels_of<cuda_extremum<int64_t>>();
template multi_kernels<cuda_extremum<uint64_t>> multi_kernels_of<cuda_extremum<uint64_t>>();
