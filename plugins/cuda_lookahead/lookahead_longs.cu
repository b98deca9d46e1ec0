/* lookahead_longs.cu - the look-ahead kernels for 64-bit integers */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_sum<uint64_t>> lookahead_kernel_of<cuda_sum<uint64_t>>(unsigned);
template lookahead_kernel<cuda_extremum<int64_t>>
lookahead_kernel_of<cuda_extremum<int64_t>>(unsigned);
template lookahead_kernel<cuda_extremum<uint64_t>>
lookahead_kernel_of<cuda_extremum<uint64_t>>(unsigned);
