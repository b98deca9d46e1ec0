/* lookahead_pairs.cu - the look-ahead kernels for pairs, whose operator does not commute */
#include "lookahead_instances.cuh"

CUDA_COMPILE_PAIRS(LOOKAHEAD_COMPILE);
