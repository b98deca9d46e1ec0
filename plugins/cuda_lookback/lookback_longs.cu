/* lookback_longs.cu - the look-back kernels for 64-bit integers */
#include "lookback_instances.cuh"

CUDA_COMPILE_LONGS(LOOKBACK_COMPILE);
