/* lookahead_halves.cu - the look-ahead kernels for floats of 16 bits */
#include "lookahead_instances.cuh"

CUDA_COMPILE_HALVES(LOOKAHEAD_COMPILE);
