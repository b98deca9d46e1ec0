/* lookahead_longs.cu - the look-ahead kernels for 64-bit integers */
#include "lookahead_instances.cuh"

CUDA_COMPILE_LONGS(LOOKAHEAD_COMPILE);
