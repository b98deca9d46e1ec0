/* rows_halves.cu - the kernels of cuda_rows for floats of 16 bits */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_sum<cuda_f16>);
ROWS_COMPILE(cuda_extremum<cuda_f16>);
ROWS_COMPILE(cuda_sum<cuda_bf16>);
ROWS_COMPILE(cuda_extremum<cuda_bf16>);
