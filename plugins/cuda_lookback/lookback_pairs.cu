/* lookback_pairs.cu - the look-back kernels for pairs, whose operator does not commute */
#include "lookback_instances.cuh"

CUDA_COMPILE_PAIRS(LOOKBACK_COMPILE);
