/* rows_pairs.cu - the kernels of cuda_rows for pairs, whose operator does not commute */
#include "rows_instances.cuh"

ROWS_COMPILE(cuda_affine<uint32_t>);
ROWS_COMPILE(cuda_affine<float>);
