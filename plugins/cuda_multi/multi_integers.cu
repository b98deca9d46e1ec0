/* multi_integers.cu - the kernels of cuda_multi for integers of 4 bytes */
#include "multi_instances.cuh"

CUDA_COMPILE_INTEGERS(MULTI_COMPILE);
