/* cyclic_longs.cu - the cyclic kernels for 64-bit integers */
#include "cyclic_instances.cuh"

template cyclic_kernel<cuda_sum<uint64_t>> cyclic_kernel_of<cuda_sum<uint64_t>>(unsigned);
template cyclic_kernel<cuda_extremum<int64_t>> cyclic_kernel_of<cuda_extremum<int64_t>>(unsigned);
template cyclic_kernel<cuda_extremum<uint64_t>> cyclic_kernel_of<cuda_extremum<uint64_t>>(unsigned);
