/* multi_longs.cu - the kernels of cuda_multi for integers of 8 bytes */
#include "multi_instances.cuh"

CUDA_COMPILE_LONGS(MULTI_COMPILE);
