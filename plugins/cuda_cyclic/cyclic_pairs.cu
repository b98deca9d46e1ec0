/* cyclic_pairs.cu - the cyclic kernels for pairs, whose operator does not commute */
#include "cyclic_instances.cuh"

template cyclic_kernel<cuda_affine<uint32_t>> cyclic_kernel_of<cuda_affine<uint32_t>>(unsigned);
template cyclic_kernel<cuda_affine<float>> cyclic_kernel_of<cuda_affine<float>>(unsigned);
