/* single_halves.cu - the kernels of one block or one cluster for floats of 16 bits */
#include "single_instances.cuh"

template single_kernel<cuda_sum<cuda_f16>> single_kernel_of<cuda_sum<cuda_f16>>(unsigned);
template single_kernel<cuda_extremum<cuda_f16>> single_kernel_of<cuda_extremum<cuda_f16>>(unsigned);
template single_kernel<cuda_sum<cuda_bf16>> single_kernel_of<cuda_sum<cuda_bf16>>(unsigned);
template single_kernel<cuda_extremum<cuda_bf16>>
single_kernel_of<cuda_extremum<cuda_bf16>>(unsigned);
