/* rows_narrow.cu - the kernels of cuda_rows for integers of 8 and 16 bits */
#include "rows_instances.cuh"

CUDA_COMPILE_NARROW(ROWS_COMPILE);
