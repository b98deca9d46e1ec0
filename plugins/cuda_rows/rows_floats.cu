/* rows_floats.cu - the kernels of cuda_rows for floats */
#include "rows_instances.cuh"

CUDA_COMPILE_FLOATS(ROWS_COMPILE);
