/* multi_pairs.cu - the kernels of cuda_multi for pairs */
#include "multi_instances.cuh"

CUDA_COMPILE_PAIRS(MULTI_COMPILE);
