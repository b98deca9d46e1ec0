/* cyclic_longs.cu - the cyclic kernels for 64-bit integers */
#include "cyclic_instances.cuh"

CUDA_COMPILE_LONGS(CYCLIC_COMPILE);
