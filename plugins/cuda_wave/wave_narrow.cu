/* wave_narrow.cu - the kernels of one wave for integers of 8 and 16 bits */
#include "wave_instances.cuh"

CUDA_COMPILE_NARROW(WAVE_COMPILE);
