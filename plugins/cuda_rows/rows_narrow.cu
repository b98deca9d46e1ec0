/* rows_narrow.cu - the kernels of cuda_rows for integers of 8 and 16 bits */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_sum<uint8_t>);
ROWS_COMPILE(cuda_sum<uint16_t>);
ROWS_COMPILE(cuda_extremum<int8_t>);
ROWS_COMPILE(cuda_extremum<uint8_t>);
ROWS_COMPILE(cuda_extremum<int16_t>);
ROWS_COMPILE(cuda_extremum<uint16_t>);
