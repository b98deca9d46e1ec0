/* rows_halves.cu - the kernels of cuda_rows for floats of 16 bits */
#include "rows_instances.cuh"

CUDA_COMPILE_HALVES(ROWS_COMPILE);
