/* lookback_halves.cu - the look-back kernels for floats of 16 bits */
#include "lookback_instances.cuh"

CUDA_COMPILE_HALVES(LOOKBACK_COMPILE);
