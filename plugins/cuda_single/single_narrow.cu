/* single_narrow.cu - the kernels of one block or one cluster for integers of 8 and 16 bits */
#include "single_instances.cuh"

CUDA_COMPILE_NARROW(SINGLE_COMPILE);
