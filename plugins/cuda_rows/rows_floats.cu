/* rows_floats.cu - the kernels of cuda_rows for floats */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_sum<float>);
ROWS_COMPILE(cuda_sum<double>);
ROWS_COMPILE(cuda_extremum<float>);
ROWS_COMPILE(cuda_extremum<double>);
