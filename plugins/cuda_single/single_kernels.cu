/* single_kernels.cu - the kernels of one block or one cluster, for every operator of version 1.0 */
#include "single_instances.cuh"

CUDA_COMPILE_INTEGERS(SINGLE_COMPILE);
CUDA_COMPILE_LONGS(SINGLE_COMPILE);
CUDA_COMPILE_FLOATS(SINGLE_COMPILE);
CUDA_COMPILE_PAIRS(SINGLE_COMPILE);
