/* lookback_floats.cu - the look-back kernels for floats of both sizes */
#include "lookback_instances.cuh"

CUDA_COMPILE_FLOATS(LOOKBACK_COMPILE);
