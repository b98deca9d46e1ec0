/* rows_longs.cu - the kernels of cuda_rows for 64-bit integers */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_sum<uint64_t>);
ROWS_COMPILE(cuda_extremum<int64_t>);
ROWS_COMPILE(cuda_extremum<uint64_t>);
