/* lookback_integers.cu - the look-back kernels for 32-bit integers */
#include "lookback_instances.cuh"

CUDA_COMPILE_INTEGERS(LOOKBACK_COMPILE);
