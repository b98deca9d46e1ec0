/* lookahead_narrow.cu - the look-ahead kernels for integers of 8 and 16 bits */
#include "lookahead_instances.cuh"

CUDA_COMPILE_NARROW(LOOKAHEAD_COMPILE);
