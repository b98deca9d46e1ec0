/* lookahead_pairs.cu - the look-ahead kernels for pairs, whose operator does not commute */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_affine<uint32_t>);
LOOKAHEAD_COMPILE(cuda_affine<float>);
