/* lookahead_wide.cu - the look-ahead kernels for sums wider than their elements */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_sum<uint32_t>, int8_t);
LOOKAHEAD_COMPILE(cuda_sum<uint32_t>, uint8_t);
LOOKAHEAD_COMPILE(cuda_sum<uint32_t>, int16_t);
LOOKAHEAD_COMPILE(cuda_sum<uint32_t>, uint16_t);
LOOKAHEAD_COMPILE(cuda_sum<uint64_t>, int32_t);
LOOKAHEAD_COMPILE(cuda_sum<uint64_t>, uint32_t);
LOOKAHEAD_COMPILE(cuda_sum<double>, float);
LOOKAHEAD_COMPILE(cuda_sum<float>, cuda_f16);
LOOKAHEAD_COMPILE(cuda_sum<float>, cuda_bf16);
