/* wave_kernels.cu - the kernels of one wave, for every operator of version 1.0 */
#include "wave_instances.cuh"

CUDA_COMPILE_INTEGERS(WAVE_COMPILE);
CUDA_COMPILE_LONGS(WAVE_COMPILE);
CUDA_COMPILE_FLOATS(WAVE_COMPILE);
CUDA_COMPILE_PAIRS(WAVE_COMPILE);
