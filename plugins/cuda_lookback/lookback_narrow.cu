/* lookback_narrow.cu - the look-back kernels for integers of 8 and 16 bits */
#include "lookback_instances.cuh"

CUDA_COMPILE_NARROW(LOOKBACK_COMPILE);
