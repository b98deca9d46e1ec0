/* single_kernels.cu - the kernels of one block or one cluster, for every operator of version 1.0 */
#include "single_instances.cuh"

template single_kernel<cuda_sum<uint32_t>> single_kernel_of<cuda_sum<uint32_t>>(unsigned);
template single_kernel<cuda_sum<uint64_t>> single_kernel_of<cuda_sum<uint64_t>>(unsigned);
template single_kernel<cuda_sum<float>> single_kernel_of<cuda_sum<float>>(unsigned);
template single_kernel<cuda_sum<double>> single_kernel_of<cuda_sum<double>>(unsigned);
template single_kernel<cuda_extremum<int32_t>> single_kernel_of<cuda_extremum<int32_t>>(unsigned);
template single_kernel<cuda_extremum<uint32_t>> single_kernel_of<cuda_extremum<uint32_t>>(unsigned);
template single_kernel<cuda_extremum<int64_t>> single_kernel_of<cuda_extremum<int64_t>>(unsigned);
template single_kernel<cuda_extremum<uint64_t>> single_kernel_of<cuda_extremum<uint64_t>>(unsigned);
template single_kernel<cuda_extremum<float>> single_kernel_of<cuda_extremum<float>>(unsigned);
template single_kernel<cuda_extremum<double>> single_kernel_of<cuda_extremum<double>>(unsigned);
template single_kernel<cuda_affine<uint32_t>> single_kernel_of<cuda_affine<uint32_t>>(unsigned);
template single_kernel<cuda_affine<float>> single_kernel_of<cuda_affine<float>>(unsigned);
