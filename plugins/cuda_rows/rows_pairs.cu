/* rows_pairs.cu - the kernels of cuda_rows for pairs, whose operator does not commute */
#include "rows_instances.cuh"

CUDA_COMPILE_PAIRS(ROWS_COMPILE);
