/* rows_wide.cu - the kernels of cuda_rows for sums wider than their elements */
#include "rows_instances.cuh"

CUDA_COMPILE_WIDE(ROWS_COMPILE);
