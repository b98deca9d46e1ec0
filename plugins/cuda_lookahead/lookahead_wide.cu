/* lookahead_wide.cu - the look-ahead kernels for sums wider than their elements */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_sum<uint32_t>, int8_t>
lookahead_wide_kernel_of<cuda_sum<uint32_t>, int8_t>(unsigned);
template lookahead_kernel<cuda_sum<uint32_t>, uint8_t>
lookahead_wide_kernel_of<cuda_sum<uint32_t>, uint8_t>(unsigned);
template lookahead_kernel<cuda_sum<uint32_t>, int16_t>
lookahead_wide_kernel_of<cuda_sum<uint32_t>, int16_t>(unsigned);
template lookahead_kernel<cuda_sum<uint32_t>, uint16_t>
lookahead_wide_kernel_of<cuda_sum<uint32_t>, uint16_t>(unsigned);
template lookahead_kernel<cuda_sum<uint64_t>, int32_t>
lookahead_wide_kernel_of<cuda_sum<uint64_t>, int32_t>(unsigned);
template lookahead_kernel<cuda_sum<uint64_t>, uint32_t>
lookahead_wide_kernel_of<cuda_sum<uint64_t>, uint32_t>(unsigned);
template lookahead_kernel<cuda_sum<double>, float>
lookahead_wide_kernel_of<cuda_sum<double>, float>(unsigned);
template lookahead_kernel<cuda_sum<float>, cuda_f16>
lookahead_wide_kernel_of<cuda_sum<float>, cuda_f16>(unsigned);
template lookahead_kernel<cuda_sum<float>, cuda_bf16>
lookahead_wide_kernel_of<cuda_sum<float>, cuda_bf16>(unsigned);
