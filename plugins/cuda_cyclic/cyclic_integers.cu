/* cyclic_integers.cu - the cyclic kernels for 32-bit integers */
#include "cyclic_instances.cuh"

CUDA_COMPILE_INTEGERS(CYCLIC_COMPILE);
