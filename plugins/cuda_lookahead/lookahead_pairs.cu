/* lookahead_pairs.cu - the look-ahead kernels for pairs, whose operator does not commute */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_affine<uint32_t>>
lookahead_kernel_of<cuda_affine<uint32_t>>(unsigned);
template lookahead_kernel<cuda_affine<float>> lookahead_kernel_of<cuda_affine<float>>(unsigned);
