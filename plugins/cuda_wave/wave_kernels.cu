/* wave_kernels.cu - the kernels of one wave, for every operator of version 1.0 */
#include "wave_instances.cuh"

template wave_kernel<cuda_sum<uint32_t>> wave_kernel_of<cuda_sum<uint32_t>>(unsigned);
template wave_kernel<cuda_sum<uint64_t>> wave_kernel_of<cuda_sum<uint64_t>>(unsigned);
template wave_kernel<cuda_sum<float>> wave_kernel_of<cuda_sum<float>>(unsigned);
template wave_kernel<cuda_sum<double>> wave_kernel_of<cuda_sum<double>>(unsigned);
template wave_kernel<cuda_extremum<int32_t>> wave_kernel_of<cuda_extremum<int32_t>>(unsigned);
template wave_kernel<cuda_extremum<uint32_t>> wave_kernel_of<cuda_extremum<uint32_t>>(unsigned);
template wave_kernel<cuda_extremum<int64_t>> wave_kernel_of<cuda_extremum<int64_t>>(unsigned);
template wave_kernel<cuda_extremum<uint64_t>> wave_kernel_of<cuda_extremum<uint64_t>>(unsigned);
template wave_kernel<cuda_extremum<float>> wave_kernel_of<cuda_extremum<float>>(unsigned);
template wave_kernel<cuda_extremum<double>> wave_kernel_of<cuda_extremum<double>>(unsigned);
template wave_kernel<cuda_affine<uint32_t>> wave_kernel_of<cuda_affine<uint32_t>>(unsigned);
template wave_kernel<cuda_affine<float>> wave_kernel_of<cuda_affine<float>>(unsigned);
