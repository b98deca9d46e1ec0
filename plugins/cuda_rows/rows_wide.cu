/* rows_wide.cu - the kernels of cuda_rows for sums wider than their elements */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_sum<uint32_t>, int8_t);
ROWS_COMPILE(cuda_sum<uint32_t>, uint8_t);
ROWS_COMPILE(cuda_sum<uint32_t>, int16_t);
ROWS_COMPILE(cuda_sum<uint32_t>, uint16_t);
ROWS_COMPILE(cuda_sum<uint64_t>, int32_t);
ROWS_COMPILE(cuda_sum<uint64_t>, uint32_t);
ROWS_COMPILE(cuda_sum<double>, float);
ROWS_COMPILE(cuda_sum<float>, cuda_f16);
ROWS_COMPILE(cuda_sum<float>, cuda_bf16);
