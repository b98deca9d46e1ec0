/* lookahead_wide.cu - the look-ahead kernels for sums wider than their elements */
#include "lookahead_instances.cuh"

CUDA_COMPILE_WIDE(LOOKAHEAD_COMPILE);
