/* rows_integers.cu - the kernels of cuda_rows for 32-bit integers */
#include "rows_instances.cuh"

CUDA_COMPILE_INTEGERS(ROWS_COMPILE);
