/* rows_beside.cu - the kernels of cuda_rows for two columns of 4-byte elements */
#include "rows_beside.cuh"
#include "rows_instances.cuh"

ROWS_COMPILE(rows_beside<cuda_sum<uint32_t>>);
ROWS_COMPILE(rows_beside<cuda_extremum<int32_t>>);
ROWS_COMPILE(rows_beside<cuda_extremum<uint32_t>>);
ROWS_COMPILE(rows_beside<cuda_sum<float>>);
ROWS_COMPILE(rows_beside<cuda_extremum<float>>);
