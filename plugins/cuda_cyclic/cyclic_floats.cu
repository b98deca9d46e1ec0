/* cyclic_floats.cu - the cyclic kernels for floats of both sizes */
#include "cyclic_instances.cuh"

CUDA_COMPILE_FLOATS(CYCLIC_COMPILE);
