/* lookahead_halves.cu - the look-ahead kernels for floats of 16 bits */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_sum<cuda_f16>> lookahead_kernel_of<cuda_sum<cuda_f16>>(unsigned);
template lookahead_kernel<cuda_extremum<cuda_f16>>
lookahead_kernel_of<cuda_extremum<cuda_f16>>(unsigned);
template lookahead_kernel<cuda_sum<cuda_bf16>> lookahead_kernel_of<cuda_sum<cuda_bf16>>(unsigned);
template lookahead_kernel<cuda_extremum<cuda_bf16>>
lookahead_kernel_of<cuda_extremum<cuda_bf16>>(unsigned);
