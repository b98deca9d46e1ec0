/* single_halves.cu - the kernels of one block or one cluster for floats of 16 bits */
#include "single_instances.cuh"

CUDA_COMPILE_HALVES(SINGLE_COMPILE);
