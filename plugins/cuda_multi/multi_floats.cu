/* multi_floats.cu - the kernels of cuda_multi for floats of both sizes */
#include "multi_instances.cuh"

CUDA_COMPILE_FLOATS(MULTI_COMPILE);
