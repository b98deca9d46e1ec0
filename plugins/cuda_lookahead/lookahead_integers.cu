/* lookahead_integers.cu - the look-ahead kernels for 32-bit integers */
#include "lookahead_instances.cuh"

CUDA_COMPILE_INTEGERS(LOOKAHEAD_COMPILE);
