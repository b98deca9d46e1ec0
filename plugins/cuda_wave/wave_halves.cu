/* wave_halves.cu - the kernels of one wave for floats of 16 bits */
#include "wave_instances.cuh"

template wave_kernel<cuda_sum<cuda_f16>> wave_kernel_of<cuda_sum<cuda_f16>>(unsigned);
template wave_kernel<cuda_extremum<cuda_f16>> wave_kernel_of<cuda_extremum<cuda_f16>>(unsigned);
template wave_kernel<cuda_sum<cuda_bf16>> wave_kernel_of<cuda_sum<cuda_bf16>>(unsigned);
template wave_kernel<cuda_extremum<cuda_bf16>> wave_kernel_of<cuda_extremum<cuda_bf16>>(unsigned);
