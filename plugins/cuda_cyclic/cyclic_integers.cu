/* cyclic_integers.cu - the cyclic kernels for 32-bit integers */
#include "cyclic_instances.cuh"

template cyclic_kernel<cuda_sum<uint32_t>> cyclic_kernel_of<cuda_sum<uint32_t>>(unsigned);
template cyclic_kernel<cuda_extremum<int32_t>> cyclic_kernel_of<cuda_extremum<int32_t>>(unsigned);
template cyclic_kernel<cuda_extremum<uint32_t>> cyclic_kernel_of<cuda_extremum<uint32_t>>(unsigned);
