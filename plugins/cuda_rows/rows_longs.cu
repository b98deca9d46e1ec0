/* rows_longs.cu - the kernels of cuda_rows for 64-bit integers */
#include "rows_instances.cuh"

CUDA_COMPILE_LONGS(ROWS_COMPILE);
