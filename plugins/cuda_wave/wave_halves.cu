/* wave_halves.cu - the kernels of one wave for floats of 16 bits */
#include "wave_instances.cuh"

CUDA_COMPILE_HALVES(WAVE_COMPILE);
