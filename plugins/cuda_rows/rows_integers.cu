/* rows_integers.cu - the kernels of cuda_rows for 32-bit integers */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_sum<uint32_t>);
ROWS_COMPILE(cuda_extremum<int32_t>);
ROWS_COMPILE(cuda_extremum<uint32_t>);
