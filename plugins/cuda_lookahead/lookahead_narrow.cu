/* lookahead_narrow.cu - the look-ahead kernels for integers of 8 and 16 bits */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_sum<uint8_t>> lookahead_kernel_of<cuda_sum<uint8_t>>(unsigned);
template lookahead_kernel<cuda_sum<uint16_t>> lookahead_kernel_of<cuda_sum<uint16_t>>(unsigned);
template lookahead_kernel<cuda_extremum<int8_t>>
lookahead_kernel_of<cuda_extremum<int8_t>>(unsigned);
template lookahead_kernel<cuda_extremum<uint8_t>>
lookahead_kernel_of<cuda_extremum<uint8_t>>(unsigned);
template lookahead_kernel<cuda_extremum<int16_t>>
lookahead_kernel_of<cuda_extremum<int16_t>>(unsigned);
template lookahead_kernel<cuda_extremum<uint16_t>>
lookahead_kernel_of<cuda_extremum<uint16_t>>(unsigned);
