/* lookahead_integers.cu - the look-ahead kernels for 32-bit integers */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_sum<uint32_t>> lookahead_kernel_of<cuda_sum<uint32_t>>(unsigned);
template lookahead_kernel<cuda_extremum<int32_t>>
lookahead_kernel_of<cuda_extremum<int32_t>>(unsigned);
template lookahead_kernel<cuda_extremum<uint32_t>>
lookahead_kernel_of<cuda_extremum<uint32_t>>(unsigned);
